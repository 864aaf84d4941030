export function Step3() {
  return null
}
