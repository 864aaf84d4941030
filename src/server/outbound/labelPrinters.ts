/** Label printers that the operator has named (LABEL_PRINTERS). Nobody else can say where labels are sent. */
import { connect } from 'node:net'

export type LabelPrinter = {
  /** The code of the site whose it is. */
  readonly site: string
  readonly name: string
  readonly host: string
  readonly port: number
  readonly dpi: number
}

export type LabelPrinters = {
  /** Those of a site, by name. */
  of(site: string): readonly LabelPrinter[]
  /** Hands labels over. @throws Error when the printer did not take all of them; some may be printed. */
  send(printer: LabelPrinter, zpl: string): Promise<void>
}

/** A printer takes labels as fast as the network; one that is silent for this long is off. */
const timeoutMs = 10_000

export const openLabelPrinters = (printers: readonly LabelPrinter[], timeout = timeoutMs): LabelPrinters => ({
  of: site => printers.filter(printer => printer.site === site),
  send: ({ host, port }, zpl) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port })
      socket.setTimeout(timeout, () => socket.destroy(new Error('the printer does not answer')))
      socket.on('error', reject)
      // it has taken everything, and closed its side
      socket.on('close', failed => failed || resolve())
      // what a printer says about itself is not read, but has to be taken
      socket.resume()
      socket.end(zpl, 'utf8')
    }),
})
