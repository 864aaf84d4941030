/** A plate or the number of a document. */
const dashed = /\b[\dA-Z]+(?:-[\dA-Z]+)+\b/

/**
 * A sentence with a part that stays on one line: without `part` the first plate or number in it. Its letters stay as they are, so that a copied
 * number is found again.
 */
export function Unbroken({ children, part = dashed.exec(children)?.[0] ?? '' }: { children: string; part?: string }) {
  const at = children.indexOf(part)
  if (part === '' || at < 0) return children
  return (
    // one element: the label of a button would lose the blanks between its parts
    <span>
      {children.slice(0, at)}
      <span style={{ whiteSpace: 'nowrap' }}>{part}</span>
      {children.slice(at + part.length)}
    </span>
  )
}
