import { useMediaQuery } from '@mantine/hooks'

const atOnce = { getInitialValueInEffect: false }

/** Whether the window is as narrow as a phone's, from the first render on. */
export const usePhone = (): boolean => useMediaQuery('(max-width: 48em)', undefined, atOnce)

/** Whether there is no room for two columns, from the first render on. */
export const useNarrow = (): boolean => useMediaQuery('(max-width: 62em)', undefined, atOnce)

/** Whether fingers point here, and no mouse, from the first render on. */
export const useTouch = (): boolean => useMediaQuery('(pointer: coarse)', undefined, atOnce)
