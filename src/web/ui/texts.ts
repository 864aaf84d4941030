/**
 * Translation with checked keys. The English texts are the type of the keys: a key that no text has is a compile error. i18next's own types
 * compute the keys anew for the options of every call, which took a quarter of the time of checking all types; here they are computed
 * once a namespace.
 */
import type { i18n } from 'i18next'
import { useTranslation as useUntyped } from 'react-i18next'
import type { Texts } from './textFiles.ts'

export type Namespace = keyof Texts

type Plural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'
type Leaf<K extends string> = K extends `${infer Stem}_${Plural}` ? Stem : K
/** The keys of a namespace. Nested keys are joined by dots; the forms of a plural count as one key. */
type KeysIn<T> = { [K in keyof T & string]: T[K] extends string ? Leaf<K> : `${K}.${KeysIn<T[K]>}` }[keyof T & string]
type Keys = { [N in Namespace]: KeysIn<Texts[N]> }
type QualifiedKeys = { [N in Namespace]: `${N}:${Keys[N]}` }

/** A key of this namespace, without its name: `deleting`. */
export type KeyOf<N extends Namespace> = Keys[N]
/** A text that is handed over to be translated later: `operations:deleting`. */
export type TextKey = QualifiedKeys[Namespace]

type First<N extends Namespace | readonly Namespace[]> = N extends Namespace
  ? N
  : N extends readonly [infer F extends Namespace, ...unknown[]]
    ? F
    : never
type Each<N extends Namespace | readonly Namespace[]> = N extends Namespace
  ? N
  : N extends readonly (infer E extends Namespace)[]
    ? E
    : never

/** Translates a key. Keys of the first namespace need no prefix, those of the others do: `common:cancel`. */
export type Translate<N extends Namespace | readonly Namespace[]> = (
  key: Keys[First<N>] | QualifiedKeys[Each<N>],
  params?: Record<string, unknown>,
) => string

/**
 * The texts of these namespaces in the language of the page. Suspends until they are loaded.
 * @returns `t`, which translates a key, and `i18n`, which knows the language
 */
export const useTranslation = useUntyped as unknown as <const N extends Namespace | readonly Namespace[] = 'common'>(
  namespaces?: N,
) => { t: Translate<N>; i18n: i18n }
