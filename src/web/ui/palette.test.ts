import { expect, test } from 'vitest'
import { DEFAULT_THEME } from '@mantine/core'
import { resolver, theme } from '../theme.ts'
import { palette, restColor } from './palette.ts'

const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map(at => channel(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (first: string, other: string) => {
  const [dark = 0, light = 0] = [luminance(first), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}
const colorsOf = (scheme: 'light' | 'dark') =>
  resolver({ ...DEFAULT_THEME, colors: { ...DEFAULT_THEME.colors, ...theme.colors } } as never)[scheme]

test('there are 25 colours, no two alike', () => {
  expect(new Set(palette).size).toBe(25)
  expect(palette).not.toContain(restColor)
})

test.each(['light', 'dark'] as const)('each stands out from the surface of the %s scheme by 3:1', scheme => {
  const surface = colorsOf(scheme)['--wh-surface']!
  expect([...palette, restColor].filter(color => contrast(color, surface) < 3)).toEqual([])
})

test.each(['light', 'dark'] as const)('words are read in the glare of a warehouse, by 7:1: %s', scheme => {
  const all = { ...DEFAULT_THEME.colors, ...theme.colors }
  const colors = colorsOf(scheme)
  const shade = theme.primaryShade as number
  const words = [
    ...(['text', 'dimmed', 'placeholder', 'error', 'anchor'] as const).map(name => colors[`--mantine-color-${name}`]!),
    colors['--wh-accent-text']!,
  ]
  // the ground of a row under the pointer is that of a field in the dark, too
  const grounds = (['--wh-surface', '--wh-canvas', '--wh-hover'] as const).map(name => colors[name]!)
  const filled = [all.petrol![shade]!, colors['--mantine-color-red-filled']!]
  const pairs = [
    ...words.flatMap(word => grounds.map(ground => [word, ground] as const)),
    ...filled.map(ground => ['#ffffff', ground] as const),
    ...(scheme === 'dark' ? grounds.slice(0, 2).map(ground => [all.red![3]!, ground] as const) : []),
  ]
  expect(pairs.filter(pair => contrast(...pair) < 7)).toEqual([])
})

test.each(['light', 'dark'] as const)('the mark of what is chosen stands out from the ground by 3:1: %s', scheme => {
  const colors = colorsOf(scheme)
  const grounds = [colors['--wh-surface']!, colors['--wh-canvas']!]
  expect(grounds.filter(ground => contrast(colors['--wh-mark']!, ground) < 3)).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'the edge of an empty box, a field and a switch stands out from all it lies on and around by 3:1: %s',
  scheme => {
    const colors = colorsOf(scheme)
    // a field's own ground is Mantine's
    const field = scheme === 'light' ? '#ffffff' : theme.colors!.dark![6]!
    const grounds = [field, ...(['--wh-surface', '--wh-canvas', '--wh-hover'] as const).map(name => colors[name]!)]
    expect(grounds.filter(ground => contrast(colors['--wh-edge']!, ground) < 3)).toEqual([])
  },
)
