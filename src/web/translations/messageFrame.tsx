/** The HTML of a message, in a frame of its own in which nothing runs and from which no link leads out. */
import { useEffect, useRef, useState } from 'react'
import classes from './translations.module.css'

/** An empty page, so that the frame has loaded before anything is drawn in it. */
const blank = '<!doctype html>'

/** Draws the message in the frame. The portal's policy refuses styles in markup, so they are set one by one. */
function draw(page: Document, html: string): void {
  const drawn = new DOMParser().parseFromString(html.replaceAll(' style="', ' data-style="'), 'text/html')
  page.replaceChild(page.adoptNode(drawn.documentElement), page.documentElement)
  for (const element of page.querySelectorAll<HTMLElement>('[data-style]')) {
    element.style.cssText = element.dataset.style ?? ''
    delete element.dataset.style
  }
  for (const link of page.querySelectorAll('a')) link.removeAttribute('href')
}

export function MessageFrame({ html, title }: { html: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [loaded, setLoaded] = useState(false)
  const [height, setHeight] = useState(0)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (!loaded || !page) return
    draw(page, html)
    // as high as the message, at any width
    const observer = new ResizeObserver(() => setHeight(page.documentElement.offsetHeight))
    observer.observe(page.documentElement)
    return () => observer.disconnect()
  }, [loaded, html])
  return (
    <iframe
      ref={frame}
      // the page draws in it; without allow-scripts nothing in it runs
      sandbox="allow-same-origin"
      srcDoc={blank}
      title={title}
      tabIndex={-1}
      className={classes.frame}
      height={height}
      onLoad={() => setLoaded(true)}
    />
  )
}
