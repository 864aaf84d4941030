/** Builds a multipart form: files by their names, a list as a repeated field, no field for absent values. */
export function multipart(input: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each instanceof Blob) form.append(name, each)
      else if (each !== undefined && each !== null) form.append(name, String(each))
    }
  }
  return form
}
