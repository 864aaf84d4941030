/** Finds anything from anywhere, by keyboard: vehicles, documents, customers, places, screens, requests in words (docs/product/screens.md "Find"). */
import { CloseButton, Combobox, Modal, Text, TextInput, useCombobox } from '@mantine/core'
import {
  IconBuildingWarehouse,
  IconCar,
  IconFileText,
  IconHistory,
  IconScan,
  IconSearch,
  IconUsers,
  IconWheel,
  type TablerIcon,
} from '@tabler/icons-react'
import { type NavigateOptions, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { Answer } from '#contract/call.ts'
import { find, maxFindLength } from '#contract/find.ts'
import { isHotel } from '#domain/site.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { messageOf, useAnswer } from '../shared/api.ts'
import { formatDate } from '../shared/format.ts'
import { useToday } from '../shared/hooks.ts'
import { openRequest } from '../vehicles/requestSubject.ts'
import { useSite, useWho } from '../shared/session.ts'
import { OperationTypeIcon, Plate, Rack, useOperationTypeLabel } from '../shared/trade.tsx'
import { useRecentVehicles } from '../vehicles/recent.ts'
import { findEntriesFor } from '../screens.ts'
import { useDebounced } from '../ui/hooks.ts'
import { useTouch } from '../ui/usePhone.ts'
import classes from './palette.module.css'
import { plain, readRequest, type RequestInWords } from './words.ts'

type Found = Answer<typeof find.all>
/** Something that can be chosen. */
type Entry = { key: string; icon: ReactNode; label: ReactNode; detail?: ReactNode; run: () => void }
type Group = { label: string; entries: Entry[] }

/** How long a pause ends a word, in ms. */
const settlesMs = 120
/** The most requests that are proposed for one sentence. */
const requestsShown = 3

type PaletteProps = {
  close: () => void
  /** Opens the card of a scanned or typed code, where scans open one. */
  findWheel: (() => void) | null
}

export function Palette({ close, findWheel }: PaletteProps) {
  const { t } = useTranslation('find')
  return (
    <Modal.Root
      opened
      onClose={close}
      size="lg"
      yOffset="10dvh"
      centered={false}
      classNames={{ content: classes.content }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('title')}>
        <Modal.Body p={0} className={classes.body}>
          <Search close={close} findWheel={findWheel} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function Search({ close, findWheel }: PaletteProps) {
  const { t } = useTranslation(['find', 'common'])
  // no key closes it there
  const touch = useTouch()
  const [words, setWords] = useState('')
  // Escape ends the combobox, which is all there is
  const combobox = useCombobox({ opened: true, onDropdownClose: close })
  const { groups, answer, first, answered } = useGroups({ words, findWheel })
  const entries = groups.flatMap(group => group.entries)
  const choose = (entry: Entry) => {
    close()
    entry.run()
  }
  // Enter that came before the answer, as after a scan
  const [entered, setEntered] = useState(false)
  useEffect(() => {
    if (!first) combobox.resetSelectedOption()
    else if (entered) choose(first)
    else combobox.selectFirstOption()
    // oxlint-disable-next-line react/exhaustive-deps -- the first one of these words, and then what the arrows choose
  }, [words, first?.key])
  const shown = entries.map(({ key }) => key).join()
  // what the arrows have chosen may stand elsewhere now, or be gone
  // oxlint-disable-next-line react/exhaustive-deps -- when others are shown
  useEffect(() => combobox.updateSelectedOptionIndex('selected'), [shown])

  return (
    <>
      <Combobox
        store={combobox}
        withinPortal={false}
        onOptionSubmit={key => {
          const chosen = entries.find(entry => entry.key === key)
          if (chosen) choose(chosen)
        }}
      >
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- the target around it adds them
            role="combobox"
            size="lg"
            variant="unstyled"
            classNames={{ root: classes.field, input: classes.input }}
            leftSection={<IconSearch size={20} stroke={1.7} aria-hidden />}
            rightSection={touch && <CloseButton size="lg" aria-label={t('common:close')} onClick={close} />}
            aria-label={t('label')}
            placeholder={t('label')}
            autoComplete="off"
            spellCheck={false}
            maxLength={maxFindLength}
            value={words}
            onChange={event => {
              setWords(event.currentTarget.value)
              setEntered(false)
            }}
            onKeyDown={event => {
              setEntered(event.key === 'Enter' && !answered && combobox.getSelectedOptionIndex() === -1)
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.options} aria-label={t('title')}>
          {groups.map(group => (
            <Combobox.Group key={group.label} label={group.label}>
              {group.entries.map(entry => (
                <Combobox.Option key={entry.key} value={entry.key} className={classes.option}>
                  <span className={classes.icon} aria-hidden>
                    {entry.icon}
                  </span>
                  <span className={classes.label}>{entry.label}</span>
                  {entry.detail && <span className={classes.detail}>{entry.detail}</span>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox>
      <Text size="sm" c={answer.error ? 'red' : 'dimmed'} className={classes.said} role="status">
        {answer.error ? (
          messageOf(answer.error)
        ) : (
          <Status state={{ words, looking: answer.isFetching, none: entries.length === 0 }} />
        )}
      </Text>
    </>
  )
}

function Status({ state: { words, looking, none } }: { state: { words: string; looking: boolean; none: boolean } }) {
  const { t } = useTranslation('find')
  if (looking) return t('looking')
  if (none) return t('nothing')
  return words.trim() === '' ? t('hint') : null
}

function useGroups({ words, findWheel }: { words: string; findWheel: (() => void) | null }) {
  const { t, i18n } = useTranslation(['find', 'nav'])
  const { mode } = useSite()
  const today = useToday()
  const recent = useRecentVehicles()
  const settled = useDebounced(words.trim(), settlesMs)
  const verbs = (type: OfferedType): string[] => t(`find:verbs.${type}`).split(' ')
  const request = isHotel(mode)
    ? readRequest(
        settled,
        {
          verbs: { to_stock: verbs('to_stock'), to_customer: verbs('to_customer'), to_waste: verbs('to_waste') },
          today: t('find:today').split(' '),
          tomorrow: t('find:tomorrow').split(' '),
          language: i18n.language,
        },
        today,
      )
    : null
  const answer = useAnswer(
    find.all,
    { words: request ? request.rest : settled, recent: [...recent] },
    { keep: true, muted: true },
  )
  const screens = useScreens(words, findWheel)
  const named = useNamed()
  const requests = request && answer.data ? named.requests(request, answer.data) : []
  const results = answer.data ? named.found(answer.data, settled === '') : []
  const wanted = words.trim()
  const ofScreens: Group = { label: t('find:screens'), entries: wanted === '' && answer.isPending ? [] : screens }
  // Screens need no fetch. With words they come first, so that no late answer moves them; without words, recent vehicles do.
  const groups = (
    wanted === '' ? [...results, ofScreens] : [ofScreens, { label: t('find:requests'), entries: requests }, ...results]
  ).filter(({ entries }) => entries.length > 0)
  // The answer to earlier words is shown until the next one arrives, but Enter doesn't choose from it.
  const answered = settled === wanted && !answer.isPlaceholderData
  const first = groups.find(group => answered || (wanted !== '' && group === ofScreens))?.entries[0]
  return { groups, answer, first, answered }
}

const facts = (...all: (string | null)[]) => all.filter(Boolean).join(' · ')
const icon = (Icon: TablerIcon) => <Icon size={20} stroke={1.7} />

/** The results in words, and where each leads. */
function useNamed() {
  const { t } = useTranslation('find')
  const typeOf = useOperationTypeLabel()
  const { mode } = useSite()
  const navigate = useNavigate()
  const { type: role } = useWho()
  const seesCustomers = role === 'admin'
  const go = (to: NavigateOptions) => () => void navigate(to)
  const whose = ({ companyname }: { companyname: string }) => (seesCustomers ? companyname : '')
  const toVehicle = (id: number) => go({ to: '/fleet/vehicle', search: { id }, state: { id } })

  const vehicle = (hit: Found['vehicles'][number], Icon: TablerIcon): Entry => ({
    key: `vehicle ${hit.flt_id}`,
    icon: icon(Icon),
    label: <Plate plate={hit.license_plate} size="sm" />,
    detail: facts(hit.vehicle, hit.driver, whose(hit)),
    run: toVehicle(hit.flt_id),
  })

  return {
    requests: ({ type, day }: RequestInWords, { vehicles }: Found): Entry[] =>
      vehicles.slice(0, requestsShown).map(vehicle => ({
        key: `request ${vehicle.flt_id}`,
        icon: <OperationTypeIcon type={type} size={22} />,
        label: (
          <>
            {typeOf(type)} <Plate plate={vehicle.license_plate} size="sm" />
          </>
        ),
        detail: facts(day && formatDate(day), vehicle.vehicle, whose(vehicle)),
        run: () => openRequest({ flt_id: vehicle.flt_id, type, ...(day && { day }) }),
      })),
    found: (results: Found, areRecent: boolean): Group[] => [
      {
        label: t(areRecent ? 'recent' : 'vehicles'),
        entries: results.vehicles.map(hit => vehicle(hit, areRecent ? IconHistory : IconCar)),
      },
      {
        label: t('tyres'),
        entries: results.tyres.map(tyre => ({
          key: `tyre ${tyre.db_id}`,
          icon: icon(IconWheel),
          label: (
            <>
              #{tyre.db_id} <Plate plate={tyre.license_plate} size="sm" />
            </>
          ),
          detail: facts(tyre.position, tyre.description, whose(tyre)),
          run: toVehicle(tyre.flt_id),
        })),
      },
      {
        label: t('documents'),
        entries: results.documents.map(document => ({
          key: `document ${document.db_id}`,
          icon: icon(IconFileText),
          label: document.document_number_text,
          detail: whose(document),
          run:
            document.flt_id === null
              ? go({ to: '/admin/invoicing', search: { tab: 'documents', customer: document.seq_id } })
              : go({
                  to: '/fleet/vehicle',
                  search: { id: document.flt_id, tab: 'history' },
                  state: { id: document.flt_id },
                }),
        })),
      },
      {
        label: t('customers'),
        entries: results.customers.map(customer => ({
          key: `customer ${customer.seq_id}`,
          icon: icon(IconUsers),
          label: customer.companyname,
          detail: customer.city,
          run: go({ to: '/admin/customers', search: { id: customer.seq_id } }),
        })),
      },
      {
        label: t('places'),
        entries: isHotel(mode)
          ? results.locations.map(location => ({
              key: `place ${location._id}`,
              icon: icon(IconBuildingWarehouse),
              label: <Rack name={location.stock_rack} />,
              detail: location.stock_site_name,
              run: go({ to: '/admin/locations', search: { id: location._id } }),
            }))
          : [],
      },
    ],
  }
}

/** The screens whose names, or those of their doors, have the words; all of them without words. */
function useScreens(words: string, findWheel: (() => void) | null): Entry[] {
  const { t } = useTranslation(['find', 'nav'])
  const who = useWho()
  const { mode } = useSite()
  const navigate = useNavigate()
  const wanted = plain(words).split(/\s+/).filter(Boolean)
  const named = (name: string) => wanted.every(word => plain(name).includes(word))
  const wheel = t('find:wheel')
  return [
    ...(findWheel && named(wheel) ? [{ key: 'wheel', icon: icon(IconScan), label: wheel, run: findWheel }] : []),
    ...findEntriesFor({ ...who, mode })
      .map(place => ({
        ...place,
        label: t(`nav:${place.text}`),
        detail: place.door && t(`nav:${place.door.text}`),
      }))
      .filter(({ label, detail = '' }) => named(`${label} ${detail}`))
      .map(({ path, text, icon: Icon, label, detail, search = {} }) => ({
        key: `${path} ${text}`,
        icon: icon(Icon),
        label,
        detail,
        run: () => void navigate({ to: path, search: search as never }),
      })),
  ]
}
