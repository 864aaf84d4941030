/** The card of a scan (docs/product/warehouse.md "The card of a scan"). */
import type { Wire } from '#contract/call.ts'
import type { contract } from '#contract/index.ts'
import { commands, encodeCommand } from '#domain/warehouse/barcode.ts'
import { actionsOf, readTyped, type Typed } from '#domain/warehouse/card.ts'
import { isDamageCode } from '#domain/warehouse/damage.ts'
import { Print } from '../../printing/pool.ts'
import { translate } from '../../texts/texts.ts'
import type { Handlers } from '../handler.ts'
import { cardOf } from './cards.sql.ts'

type Card = Wire<typeof contract.cards.read>
type CardFacts = Omit<Card, 'wheels'> & { readonly wheels: readonly Omit<Card['wheels'][number], 'actions'>[] }

const nothing: Typed = { plate: '', tyre: null, ean: null, document: null }

export const cards: Handlers['cards'] = {
  async read({ input, tx, site }) {
    const typed = input.typed === undefined ? nothing : readTyped(input.typed)
    const { json } = await tx.single.one(cardOf, {
      site: site.id,
      withDepth: site.allowProfileDepth,
      tyre: input.tyre ?? typed.tyre,
      location: input.location ?? null,
      plate: typed.plate || null,
      ean: typed.ean,
      documentType: typed.document?.type ?? null,
      documentYear: typed.document?.year ?? null,
      documentNumber: typed.document?.number ?? null,
    })
    const card = JSON.parse(json ?? '') as CardFacts
    const showsDepth = site.allowProfileDepth
    return { ...card, wheels: card.wheels.map(wheel => ({ ...wheel, actions: actionsOf(wheel, { showsDepth }) })) }
  },

  async commands({ site, lang, now }) {
    const labels = commands.map(command => ({
      name: isDamageCode(command)
        ? translate(lang, 'common', `damage.${command}`)
        : translate(lang, 'cards', `command.${command}`),
      barcode: encodeCommand({ command, site: site.id }),
    }))
    return new Print({ kind: 'commands', commands: labels, title: translate(lang, 'cards', 'commands'), now })
  },
}
