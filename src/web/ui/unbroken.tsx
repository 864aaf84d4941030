/** A sentence with a part that stays on one line. Its letters stay as they are, so that a copied number is found again. */
export function Unbroken({ children, part }: { children: string; part: string }) {
  const at = children.indexOf(part)
  if (at < 0) return children
  return (
    // one element: the label of a button would lose the blanks between its parts
    <span>
      {children.slice(0, at)}
      <span style={{ whiteSpace: 'nowrap' }}>{part}</span>
      {children.slice(at + part.length)}
    </span>
  )
}
