import { isIPv6 } from 'node:net'

/** The key that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which one subscriber has. */
export function clientAddress(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail?.split(':').filter(Boolean) ?? []
  const missing = tail === undefined ? 0 : 8 - groups.length - rest.length
  return [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...rest].slice(0, 4).join(':')
}
