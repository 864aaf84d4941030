/** A field to sign in with a finger, a pen or the mouse. */
import { type PointerEvent, type RefObject, useRef } from 'react'
import classes from './signaturePad.module.css'

/** Pixels of the picture: enough for a sharp print at the size of a signature. */
const size = { width: 600, height: 200 }

type SignaturePadProps = {
  label: string
  canvas: RefObject<HTMLCanvasElement | null>
  /** Something was drawn, or everything was wiped out. */
  onDrawn: (drawn: boolean) => void
}

export function SignaturePad({ label, canvas, onDrawn }: SignaturePadProps) {
  const last = useRef<{ x: number; y: number } | null>(null)
  const pointOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLCanvasElement>) => {
    const box = currentTarget.getBoundingClientRect()
    return { x: ((clientX - box.left) / box.width) * size.width, y: ((clientY - box.top) / box.height) * size.height }
  }
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    const pen = event.currentTarget.getContext('2d')
    const point = pointOf(event)
    if (!pen || !last.current) return
    pen.lineWidth = 3
    pen.lineCap = 'round'
    pen.lineJoin = 'round'
    pen.strokeStyle = '#000'
    pen.beginPath()
    pen.moveTo(last.current.x, last.current.y)
    pen.lineTo(point.x, point.y)
    pen.stroke()
    last.current = point
    onDrawn(true)
  }
  return (
    <canvas
      ref={canvas}
      {...size}
      className={classes.pad}
      role="img"
      aria-label={label}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        last.current = pointOf(event)
        draw(event)
      }}
      onPointerMove={draw}
      onPointerUp={() => (last.current = null)}
      onPointerCancel={() => (last.current = null)}
    />
  )
}

/** Clears the drawing. */
export function clearPad(canvas: HTMLCanvasElement | null): void {
  canvas?.getContext('2d')?.clearRect(0, 0, size.width, size.height)
}

/** The picture in base64, on white: a document is printed on paper. */
export function pictureOf(canvas: HTMLCanvasElement): string {
  const sheet = document.createElement('canvas')
  Object.assign(sheet, size)
  const pen = sheet.getContext('2d')
  if (pen) {
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, size.width, size.height)
    pen.drawImage(canvas, 0, 0)
  }
  return sheet.toDataURL('image/png').replace(/^[^,]*,/, '')
}
