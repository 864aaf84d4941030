/** Which addresses the portal may connect to when somebody else has typed where. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

type Family = 'ipv4' | 'ipv6'

function listOf(family: Family, subnets: string): BlockList {
  const list = new BlockList()
  for (const subnet of subnets.trim().split(/\s+/)) {
    const [network = '', prefix = ''] = subnet.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** Networks of a company, and the machine itself (RFC 1918, RFC 6598, RFC 4193). An operator may open them. */
const ownNetworks = {
  ipv4: listOf('ipv4', '10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16'),
  ipv6: listOf('ipv6', '::1/128 fc00::/7'),
}
/** Other addresses that are no single machine on the internet, by IANA's registries of special-purpose addresses. */
const special4 = listOf(
  'ipv4',
  `0.0.0.0/8 169.254.0.0/16 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.175.48.0/24
   198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`,
)
/** All of IPv6 that is given out to the internet, and what of that stands for something else: tunnels and examples. */
const global6 = listOf('ipv6', '2000::/3')
const special6 = listOf('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20')

/** The IPv4 address that an IPv6 address of ::ffff:0:0/96 is another form of. */
function mapped(address: string): string | null {
  // in the one form that URLs have: `::ffff:7f00:1`
  const url = `http://[${address}]`
  const mapped = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(URL.canParse(url) ? new URL(url).hostname : '')
  if (!mapped) return null
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/**
 * Whether the portal may connect to an IP address. `allowPrivate` opens private networks and the machine itself, but never link-local
 * addresses: there clouds keep the credentials of their machines.
 */
export function mayConnect(address: string, { allowPrivate }: { allowPrivate: boolean }): boolean {
  if (isIPv4(address)) {
    if (ownNetworks.ipv4.check(address)) return allowPrivate
    return !special4.check(address)
  }
  // an address with a zone is of a link
  if (!isIPv6(address) || address.includes('%')) return false
  const inner = mapped(address)
  if (inner !== null) return allowPrivate && mayConnect(inner, { allowPrivate })
  if (ownNetworks.ipv6.check(address, 'ipv6')) return allowPrivate
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}
