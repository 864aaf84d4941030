/** Hands the person a file that was made here, under this name. Works under the strict policy: the address is a blob's. */
export function saveFile(content: string | Blob, { name, type = '' }: { name: string; type?: string }): void {
  const address = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
