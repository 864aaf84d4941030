/** XML as the elements that the rules of e-invoices look at. */
import type { XmlElement } from '#domain/money/eInvoice.ts'

/** The usual prefixes of UBL, whichever the file has. */
const prefixes: Readonly<Record<string, string>> = {
  'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2': 'cac:',
  'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2': 'cbc:',
}

type Node = {
  readonly nodeType: number
  readonly nodeValue: string | null
  readonly childNodes: Iterable<Node>
}
type ElementNode = Node & {
  readonly localName: string
  readonly namespaceURI: string | null
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
}
const isElement = (node: Node): node is ElementNode => node.nodeType === 1

function elementOf(node: ElementNode): XmlElement {
  const nodes = [...node.childNodes]
  return {
    name: `${prefixes[node.namespaceURI ?? ''] ?? ''}${node.localName}`,
    attributes: Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value])),
    text: nodes
      .filter(({ nodeType }) => nodeType === 3 || nodeType === 4)
      .map(({ nodeValue }) => nodeValue ?? '')
      .join(''),
    children: nodes.filter(isElement).map(elementOf),
  }
}

/** The root of an XML file. The parser is loaded at the first one. @throws Error when the file is no XML */
export async function parseXml(xml: string): Promise<XmlElement> {
  const { create } = await import('xmlbuilder2')
  const root = [...(create(xml).doc().node as unknown as Node).childNodes].find(isElement)
  if (!root) throw new Error('the file has no element')
  return elementOf(root)
}
