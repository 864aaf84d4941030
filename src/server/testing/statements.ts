/** Bank statements for tests: CAMT.053 as banks write it, in several of its versions. */

export type CamtVersion = '02' | '04' | '08'
export type CamtEntry = {
  /** As it is written: `121.00`. */
  readonly amount: string
  readonly currency?: string
  readonly direction?: 'CRDT' | 'DBIT'
  readonly status?: string
  readonly reversal?: boolean
  readonly booked?: string
  /** The number that the bank gives it. */
  readonly bank?: string
  readonly payments?: readonly {
    readonly amount?: string
    readonly payer?: string
    readonly account?: string
    readonly reference?: string
    readonly references?: readonly string[]
    readonly message?: string
    readonly bank?: string
  }[]
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const element = (name: string, text: string | undefined): string =>
  text === undefined ? '' : `<${name}>${escaped(text)}</${name}>`

/** A file of one statement. */
export function camtFile(
  entries: readonly CamtEntry[],
  {
    version = '08',
    id = 'STMT-1',
    iban = 'BE68539007547034',
  }: { version?: CamtVersion; id?: string; iban?: string } = {},
): Buffer {
  const party = (name: string) =>
    version === '08' ? `<Pty><Nm>${escaped(name)}</Nm></Pty>` : `<Nm>${escaped(name)}</Nm>`
  const state = (status: string) => (version === '02' || version === '04' ? status : `<Cd>${status}</Cd>`)
  const written = entries.map(
    (
      {
        amount,
        currency = 'EUR',
        direction = 'CRDT',
        status = 'BOOK',
        reversal,
        booked = '2026-11-15',
        bank,
        payments = [{}],
      },
      nth,
    ) => `
      <Ntry>
        <NtryRef>${nth + 1}</NtryRef>
        <Amt Ccy="${currency}">${amount}</Amt>
        <CdtDbtInd>${direction}</CdtDbtInd>${reversal === undefined ? '' : `<RvslInd>${reversal}</RvslInd>`}
        <Sts>${state(status)}</Sts>
        <BookgDt><Dt>${booked}</Dt></BookgDt>
        <ValDt><Dt>${booked}</Dt></ValDt>
        ${element('AcctSvcrRef', bank)}
        <BkTxCd><Prtry><Cd>541</Cd></Prtry></BkTxCd>
        <NtryDtls>${payments
          .map(({ amount: part, payer, account, reference, references, message, bank: own }) => {
            const all = references ?? (reference === undefined ? [] : [reference])
            const value = part === undefined ? '' : `<Amt Ccy="${currency}">${part}</Amt>`
            return `<TxDtls>
          <Refs>${element('AcctSvcrRef', own)}<EndToEndId>NOTPROVIDED</EndToEndId></Refs>
          ${part === undefined ? '' : version === '02' ? `<AmtDtls><TxAmt>${value}</TxAmt></AmtDtls>` : `${value}<CdtDbtInd>${direction}</CdtDbtInd>`}
          <RltdPties>${payer === undefined ? '' : `<Dbtr>${party(payer)}</Dbtr>`}${
            account === undefined ? '' : `<DbtrAcct><Id><IBAN>${account}</IBAN></Id></DbtrAcct>`
          }</RltdPties>
          <RmtInf>${element('Ustrd', message)}${all
            .map(
              text =>
                `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${escaped(text)}</Ref></CdtrRefInf></Strd>`,
            )
            .join('')}</RmtInf>
        </TxDtls>`
          })
          .join('')}</NtryDtls>
      </Ntry>`,
  )
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-11-15T18:00:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>${id}</Id>
      <CreDtTm>2026-11-15T18:00:00</CreDtTm>
      <Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>${written.join('')}
    </Stmt>
  </BkToCstmrStmt>
</Document>
`)
}
