import { type RefObject, useEffect } from 'react'

/** Marks the sides to which a line has more than it shows, and keeps what is chosen in view. `chosen` changes with it. */
export function useOneLine(line: RefObject<HTMLElement | null>, chosen: string): void {
  useEffect(() => {
    line.current
      ?.querySelector('[aria-selected="true"], [aria-current="page"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another one that is chosen is scrolled to
  }, [line, chosen])
  // Each time it is drawn there can be others.
  useEffect(() => {
    const box = line.current
    if (!box) return
    const mark = () => markMore(box)
    const observer = new ResizeObserver(mark)
    for (const part of [box, ...box.children]) observer.observe(part)
    box.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', mark)
    }
  })
}

function markMore(line: HTMLElement) {
  const { scrollLeft, scrollWidth, clientWidth } = line
  // a screen's fraction of a pixel is no tab
  line.toggleAttribute('data-before', scrollLeft > 1)
  line.toggleAttribute('data-after', scrollLeft + clientWidth < scrollWidth - 1)
}
