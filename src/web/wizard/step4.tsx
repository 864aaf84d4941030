export function Step4() {
  return null
}
