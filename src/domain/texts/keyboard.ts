/**
 * Keyboard layouts, as far as a barcode scanner that acts as a keyboard needs them: it presses keys, and the machine's
 * layout makes characters of them (docs/product/warehouse.md "Barcodes").
 *
 * Source: the Windows layouts in Unicode CLDR, keyboards/windows (en, en intl, en-GB, fr-BE, fr, de).
 */

/** A key that was pressed, as a browser's keydown event describes it: `alt` is AltGr, or Alt on a machine without AltGr. */
export type Keystroke = { key: string; code: string; shift: boolean; alt?: boolean }

// The keys with characters, row by row from the left. Backslash is also the key left of Enter on ISO keyboards.
const codes = [
  ...'Backquote Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal'.split(' '),
  ...'KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight'.split(' '),
  ...'KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backslash'.split(' '),
  ...'IntlBackslash KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash'.split(' '),
]

/** The characters of a layout in the order of `codes`; a space where a key has none. */
type Characters = {
  plain: string
  shift: string
  altGr: string
  /** Dead keys, which wait for the next key, on plain and shift. */
  dead: string
  deadAltGr: string
  /** With caps lock, keys act as with shift: only letters (`null`), or all keys but those with these plain characters. */
  capsLockKeeps: string | null
}

const us = {
  plain: "`1234567890-=qwertyuiop[]asdfghjkl;'\\\\zxcvbnm,./",
  shift: '~!@#$%^&*()_+QWERTYUIOP{}ASDFGHJKL:"||ZXCVBNM<>?',
  altGr: ' '.repeat(48),
  dead: '',
  deadAltGr: '',
  capsLockKeeps: null,
}

/** US, US International (the Dutch one), UK, Belgian AZERTY, French AZERTY, German QWERTZ. */
export const layouts = {
  us,
  usIntl: {
    ...us,
    altGr: ' ¡²³¤€¼½¾‘’¥×äåé®þüúíóö«»áßð     ø¶´¬ æ ©  ñµç ¿',
    dead: '`\'~^"',
  },
  uk: {
    plain: "`1234567890-=qwertyuiop[]asdfghjkl;'#\\zxcvbnm,./",
    shift: '¬!"£$%^&*()_+QWERTYUIOP{}ASDFGHJKL:@~|ZXCVBNM<>?',
    altGr: '¦   €          é   úíó   á                      ',
    dead: '',
    deadAltGr: '',
    capsLockKeeps: null,
  },
  be: {
    plain: '²&é"\'(§è!çà)-azertyuiop^$qsdfghjklmùµ<wxcvbn,;:=',
    shift: '³1234567890°_AZERTYUIOP¨*QSDFGHJKLM%£>WXCVBN?./+',
    altGr: ' |@#{[^  {}    €       []          ´`\\         ~',
    dead: '^¨',
    deadAltGr: '´`~',
    capsLockKeeps: '²<',
  },
  fr: {
    plain: '²&é"\'(-è_çà)=azertyuiop^$qsdfghjklmù*<wxcvbn,;:!',
    shift: ' 1234567890°+AZERTYUIOP¨£QSDFGHJKLM%µ>WXCVBN?./§',
    altGr: '  ~#{[|`\\^@]}  €        ¤                       ',
    dead: '^¨',
    deadAltGr: '~`',
    capsLockKeeps: '²<',
  },
  de: {
    plain: '^1234567890ß´qwertzuiopü+asdfghjklöä#<yxcvbnm,.-',
    shift: '°!"§$%&/()=?`QWERTZUIOPÜ*ASDFGHJKLÖÄ\'>YXCVBNM;:_',
    altGr: '  ²³   {[]}\\ @ €        ~            |      µ   ',
    dead: '^´`',
    deadAltGr: '',
    capsLockKeeps: '^´<-',
  },
} as const satisfies Record<string, Characters>

export type Layout = keyof typeof layouts
export const layoutNames = Object.keys(layouts) as Layout[]

const placeOf = new Map(codes.map((code, at) => [code, at]))

/** The characters that a key may make on a layout, with AltGr and without: events don't always say whether it was held. */
export function possibleCharacters(layout: Layout, { code, shift }: Keystroke): string[] {
  // The number pad is the same everywhere.
  const pad = /^Numpad([0-9])$/.exec(code)?.[1] ?? (code === 'NumpadAdd' ? '+' : null)
  if (pad) return [pad]
  const at = placeOf.get(code)
  if (at === undefined) return []
  const { plain, shift: shifted, altGr } = layouts[layout]
  return [(shift ? shifted : plain).charAt(at), altGr.charAt(at)].filter(sign => sign !== ' ')
}

/** The `key` of the keydown event when a key is pressed on a machine: its character, or `Dead`. */
function keyOn(layout: Layout, { code, shift, alt = false }: Omit<Keystroke, 'key'>, capsLock: boolean): string {
  const at = placeOf.get(code)
  if (at === undefined) return code === 'Space' ? ' ' : code
  const { plain, shift: shifted, altGr, dead, deadAltGr, capsLockKeeps } = layouts[layout]
  const withAltGr = altGr.charAt(at)
  if (alt && withAltGr !== ' ') return (deadAltGr as string).includes(withAltGr) ? 'Dead' : withAltGr
  const follows =
    capsLockKeeps === null ? /^[a-z]$/.test(plain.charAt(at)) : !(capsLockKeeps as string).includes(plain.charAt(at))
  const character = (shift !== (capsLock && follows) ? shifted : plain).charAt(at)
  if (character === ' ') return 'Unidentified'
  return (dead as string).includes(character) ? 'Dead' : character
}

/** Every way to press a key with a character: key, with shift, with AltGr. */
const presses = codes.flatMap(code => [false, true].flatMap(alt => [false, true].map(shift => ({ code, shift, alt }))))

/**
 * The keys that type a text on a layout; a line feed is Enter, a tab is Tab. Throws a RangeError for a character that
 * the layout has on no key of its own.
 */
export function typeOn(layout: Layout, text: string): Keystroke[] {
  return Array.from(text, sign => {
    if (sign === '\n') return { key: 'Enter', code: 'Enter', shift: false, alt: false }
    if (sign === '\t') return { key: 'Tab', code: 'Tab', shift: false, alt: false }
    if (sign === ' ') return { key: ' ', code: 'Space', shift: false, alt: false }
    const press = presses.find(each => keyOn(layout, each, false) === sign)
    if (!press) throw new RangeError(`no key for ${sign} on the layout ${layout}`)
    return { key: sign, ...press }
  })
}

/** The keystrokes that a machine gets from a scanner: the scanner presses the keys of its layout, the machine reads them with its own. */
export function typeScan(
  text: string,
  { scanner, machine, capsLock = false }: { scanner: Layout; machine: Layout; capsLock?: boolean },
): Keystroke[] {
  return typeOn(scanner, text).map(stroke => ({ ...stroke, key: keyOn(machine, stroke, capsLock) }))
}

/** The keys by which a machine may have produced each character, with any modifiers held. */
function pressesFor(machine: Layout, capsLock: boolean): Map<string, Keystroke[]> {
  const byCharacter = new Map<string, Keystroke[]>()
  for (const press of presses) {
    const key = keyOn(machine, press, capsLock)
    // Caps lock on other systems makes only letters upper case, also É of é.
    const forms = key.length > 1 ? [key] : [key, key.toLowerCase(), key.toUpperCase()]
    for (const form of new Set(forms)) byCharacter.set(form, [...(byCharacter.get(form) ?? []), { key, ...press }])
  }
  return byCharacter
}

/** One way to read a keystroke: the characters that the scanner may have meant. */
export type Reading = (stroke: Keystroke) => string[]

let cachedReadings: readonly Reading[] | undefined

/**
 * Every way to read the characters alone, for when the keys' codes are missing: as typed by a scanner of any layout on
 * a machine of any layout, with caps lock and without. Made at first use, since few ever need them.
 */
export function allReadings(): readonly Reading[] {
  cachedReadings ??= layoutNames.flatMap(machine =>
    (layouts[machine].capsLockKeeps === null ? [false] : [false, true]).flatMap(capsLock => {
      const pressed = [...pressesFor(machine, capsLock)]
      return layoutNames.map((scanner): Reading => {
        const meant = new Map(
          pressed.map(([key, strokes]) => [
            key,
            [...new Set(strokes.flatMap(stroke => possibleCharacters(scanner, stroke)))],
          ]),
        )
        return stroke => meant.get(stroke.key) ?? []
      })
    }),
  )
  return cachedReadings
}
