/** Label printers: of a site, and sent to by TCP. */
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openLabelPrinters } from './labelPrinters.ts'

const printerAt = (port: number) => ({ site: 'home', name: 'Dock', host: '127.0.0.1', port, dpi: 203 })

/** A printer that does this with each connection; answers its port. */
async function printer(with_: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, with_)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

test('a site has its own', () => {
  const printers = openLabelPrinters([printerAt(1), { ...printerAt(2), site: 'other', name: 'Desk' }])
  expect(printers.of('home').map(({ name }) => name)).toEqual(['Dock'])
  expect(printers.of('none')).toEqual([])
})

test('what is sent arrives whole, and is over when the printer has it', async () => {
  const taken: Buffer[] = []
  const port = await printer(socket => {
    socket.on('data', chunk => taken.push(chunk))
    socket.on('end', () => socket.end('status'))
  })
  const zpl = '^XA^FDé^FS^XZ\n'.repeat(20_000)
  await openLabelPrinters([]).send(printerAt(port), zpl)
  expect(Buffer.concat(taken).toString()).toBe(zpl)
})

test('a printer that is off, hangs up or is silent has not taken them', async () => {
  const { send } = openLabelPrinters([], 300)
  const closed = await printer(socket => socket.destroy())
  const silent = await printer(socket => void socket.resume())
  await expect(send(printerAt(1), '^XA^XZ')).rejects.toThrow()
  await expect(send(printerAt(silent), '^XA^XZ')).rejects.toThrow('does not answer')
  await expect(send(printerAt(closed), '^XA^XZ'.repeat(1_000_000))).rejects.toThrow()
})
