/**
 * 25 colours for the parts of a chart, in the order in which they are given out: neighbours are far apart in hue and
 * in lightness. Each stands out from the surface by 3:1 in light and in dark (WCAG 1.4.11), so one list serves both.
 */
export const palette = [
  '#097e98',
  '#d164e7',
  '#c16e03',
  '#01845a',
  '#598efd',
  '#ea3f7c',
  '#7d750b',
  '#04a1af',
  '#ab5deb',
  '#bf5300',
  '#0da844',
  '#0386e0',
  '#ce308d',
  '#b18d04',
  '#03928e',
  '#8156e8',
  '#fe593a',
  '#53920b',
  '#087baa',
  '#e45ccc',
  '#af780c',
  '#0e826e',
  '#7e86fd',
  '#ee3f57',
  '#6a7b0a',
] as const

/** For the remainder, when there are more parts than colours. */
export const restColor = '#84929b'
