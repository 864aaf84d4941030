/** The looks: calm neutrals with a petrol accent, dense, with contrasts of WCAG AA in light and dark, and 7:1 for the words that a warehouse reads. */
import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineTheme,
  type MenuProps,
} from '@mantine/core'

const petrol: MantineColorsTuple = [
  '#eef6f8',
  '#d9e9ee',
  '#b3d3dc',
  '#87bac8',
  '#5fa2b5',
  '#3f8ba1',
  '#2c7489',
  '#1f5f72',
  '#174c5c',
  '#0f3844',
]
const gray: MantineColorsTuple = [
  '#f6f8f9',
  '#edf1f3',
  '#e1e7ea',
  '#cfd8dd',
  '#b3bfc6',
  '#84929b',
  '#5a6872',
  '#4b5963',
  '#333f47',
  '#1f282e',
]
const dark: MantineColorsTuple = [
  '#dbe2e6',
  '#bcc7cd',
  '#97a4ac',
  '#6c7a82',
  '#434f56',
  '#354048',
  '#2a343a',
  '#1f272c',
  '#181e22',
  '#11161a',
]

// Darker than Mantine's, so that white text on a red button can be read.
const red: MantineColorsTuple = [
  '#fdf0ef',
  '#fbdedc',
  '#f5bcb8',
  '#f09e98',
  '#e4726b',
  '#d9534c',
  '#c93a34',
  '#b42a25',
  '#96201c',
  '#701613',
]

export const theme = createTheme({
  primaryColor: 'petrol',
  // White words on it have a contrast of 7:1 (see palette.test.ts).
  primaryShade: 7,
  colors: { petrol, gray, dark, red },
  black: '#1c252b',
  autoContrast: true,
  // Where black and white text are equally readable by the formula of WCAG.
  luminanceThreshold: 0.179,
  fontFamily: 'Inter, "Inter stand-in", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "Cascadia Mono", "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: {
    fontWeight: '650',
    textWrap: 'balance',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.125rem', lineHeight: '1.4' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  components: {
    Alert: { defaultProps: { variant: 'light' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm', tt: 'none' } },
    // Hints of different lengths push no field out of its row.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    Card: { defaultProps: { withBorder: true, padding: 'md' } },
    Paper: { defaultProps: { withBorder: true } },
    // Its empty focus target has no place in a menu; the first item takes the focus.
    // One that is higher than the room beside its button opens on the side that has more of it, and is scrolled (ui/base.css): by default
    // it would stay on the side that it was given, even above the display.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        middlewares: {
          flip: { fallbackStrategy: 'bestFit' },
          size: {
            padding: 5,
            apply: ({ availableHeight, elements }) => {
              elements.floating.style.maxHeight = `${availableHeight}px`
            },
          },
        },
      } satisfies Partial<MenuProps>,
    },
    Modal: {
      defaultProps: { centered: true },
      // A closing popover is still drawn for a moment. A click in that moment is meant for the content beneath it.
      styles: (_theme: MantineTheme, { opened }: { opened?: boolean }) =>
        opened ? {} : { overlay: { pointerEvents: 'none' }, content: { pointerEvents: 'none' } },
    },
    Skeleton: { defaultProps: { radius: 'sm' } },
    Table: {
      defaultProps: { verticalSpacing: 6, highlightOnHover: true, highlightOnHoverColor: 'var(--wh-hover)' },
    },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } } },
  },
})

/** The colours whose text and tint have to be read: Mantine's own are too pale for small text. */
const readable = (theme: MantineTheme, pick: (color: string) => Record<string, string>) =>
  Object.assign({}, ...Object.keys(theme.colors).map(pick)) as Record<string, string>

const mix = (color: string, part: number, other: string) => `color-mix(in srgb, ${color} ${part}%, ${other})`

const redGround = { '--mantine-color-red-filled': red[8]!, '--mantine-color-red-filled-hover': red[9]! }

export const resolver: CSSVariablesResolver = theme => ({
  variables: {},
  light: {
    ...readable(theme, color => {
      const text = color === 'dark' ? theme.black : mix(`var(--mantine-color-${color}-9)`, 72, 'black')
      return {
        [`--mantine-color-${color}-text`]: text,
        [`--mantine-color-${color}-outline`]: text,
        [`--mantine-color-${color}-light-color`]: text,
        [`--mantine-color-${color}-light`]: `var(--mantine-color-${color}-1)`,
        [`--mantine-color-${color}-light-hover`]: `var(--mantine-color-${color}-2)`,
      }
    }),
    '--mantine-color-text': theme.black,
    '--mantine-color-dimmed': '#434f58',
    '--mantine-color-placeholder': '#434f58',
    '--mantine-color-error': red[8]!,
    ...redGround,
    '--mantine-color-anchor': '#1a5365',
    '--wh-canvas': gray[1]!,
    '--wh-hover': gray[1]!,
    '--wh-surface': '#ffffff',
    '--wh-line': gray[3]!,
    '--wh-edge': '#76848d',
    '--wh-accent': '#a8610f',
    '--wh-accent-text': '#734207',
    '--wh-focus': petrol[6]!,
    '--wh-mark': petrol[7]!,
  },
  dark: {
    ...readable(theme, color => ({
      [`--mantine-color-${color}-text`]: `var(--mantine-color-${color}-${color === 'dark' ? 0 : 3})`,
      [`--mantine-color-${color}-outline`]: `var(--mantine-color-${color}-${color === 'dark' ? 0 : 3})`,
      [`--mantine-color-${color}-light-color`]: `var(--mantine-color-${color}-${color === 'dark' ? 0 : 2})`,
      [`--mantine-color-${color}-light`]: mix(`var(--mantine-color-${color}-6)`, 22, 'var(--mantine-color-dark-7)'),
      [`--mantine-color-${color}-light-hover`]: mix(
        `var(--mantine-color-${color}-6)`,
        32,
        'var(--mantine-color-dark-7)',
      ),
    })),
    '--mantine-color-text': dark[0]!,
    '--mantine-color-dimmed': '#b8c4ca',
    '--mantine-color-placeholder': '#b8c4ca',
    '--combobox-chevron-color': '#b8c4ca',
    '--mantine-color-error': '#ffaea8',
    ...redGround,
    '--mantine-color-anchor': '#a0c9d5',
    '--wh-canvas': dark[8]!,
    // dimmed words are read on it
    '--wh-hover': dark[6]!,
    '--wh-surface': dark[7]!,
    '--wh-line': dark[4]!,
    '--wh-edge': '#75838b',
    '--wh-accent': '#e5a55a',
    '--wh-accent-text': '#eeb87c',
    '--wh-focus': petrol[3]!,
    '--wh-mark': petrol[5]!,
  },
})
