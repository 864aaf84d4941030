export function AdminOperations() {
  return null
}
