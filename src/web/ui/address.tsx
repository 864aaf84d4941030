import { Fragment } from 'react'

/** An address of the Web, which may go on in the next line after a sign that divides it, and nowhere else. */
export function Address({ url }: { url: string }) {
  return url.split(/(?<=[/.\-?&=_])(?![/.])/).map((part, nth) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text keep their order
    <Fragment key={nth}>
      {nth > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
