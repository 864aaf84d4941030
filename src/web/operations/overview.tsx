export function OperationsOverview() {
  return null
}
