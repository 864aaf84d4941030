export function Step1() {
  return null
}
