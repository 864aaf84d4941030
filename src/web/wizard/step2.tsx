export function Step2() {
  return null
}
