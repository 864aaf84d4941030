import { Unbroken } from '../ui/unbroken.tsx'

/** What a line of a document charges. The plate that it names stays on one line. */
export function LineText({ children }: { children: string }) {
  const [plate = ''] = /\b[\dA-Z]+(?:-[\dA-Z]+)+\b/.exec(children) ?? []
  return <Unbroken part={plate}>{children}</Unbroken>
}
