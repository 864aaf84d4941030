/** The dialog that adds tyres to a vehicle (SPEC §2 "Add-tyres flow", §5). What was entered stays when the server refuses. */
import {
  ActionIcon,
  Alert,
  Autocomplete,
  Badge,
  Button,
  Collapse,
  Group,
  Loader,
  Text,
  TextInput,
  Title,
  UnstyledButton,
} from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconAlertTriangle, IconCheck, IconPlus, IconSearch, IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fleet } from '#contract/fleet.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Article, Vehicle, VehicleConfig } from '#contract/wire.ts'
import { positionsOf } from '#domain/axle.ts'
import { ask, keyOf, messageOf, Refused, useCall } from '../api.ts'
import { say } from '../../i18n.ts'
import { useSite, useVehicleConfigs } from '../session.ts'
import { Choice } from '../../ui/choice.tsx'
import { type DialogControls, FormDialog, useEntered } from '../../ui/form/formDialog.tsx'
import { useDebounced } from '../../ui/hooks.ts'
import { Empty, Failed, Placeholders } from '../screen.tsx'
import {
  type Chosen,
  isReserved,
  needsSetName,
  placed as placedAlso,
  type Placed,
  positionsFor,
  setNamed,
  setNameMax,
  takenIn,
  tyresToAdd,
  type UnknownArticle,
  unknownDescriptionMax,
  without,
} from './adding.ts'
import classes from './addTyres.module.css'
import { ConfigurationPicture } from './configurationPicture.tsx'

type AddTyresProps = { vehicle: Vehicle; opened: boolean; onClose: () => void }

export function AddTyres({ vehicle, opened, onClose }: AddTyresProps) {
  const { t } = useTranslation('tyres')
  const phone = useMediaQuery('(max-width: 62em)')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('add.title')}
      size="68rem"
      fullScreen={phone === true}
      lost={t('add.discardText')}
    >
      {dialog => (
        <Suspense fallback={<Placeholders rows={5} />}>
          <Adding vehicle={vehicle} dialog={dialog} />
        </Suspense>
      )}
    </FormDialog>
  )
}

function Adding({ vehicle, dialog }: { vehicle: Vehicle; dialog: DialogControls }) {
  const { t } = useTranslation(['tyres', 'failures', 'fleet'])
  const configs = useVehicleConfigs()
  const config = configs.find(({ description }) => description === vehicle.configuration)
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [active, setActive] = useState<string | null>(null)
  const [placed, setPlaced] = useState<Placed>(new Map())
  const [name, setName] = useState('')
  const [nameRefused, setNameRefused] = useState(false)
  const [tried, setTried] = useState(false)
  const add = useCall(calls.add, {
    doing: 'tyres:add.doing',
    done: added => say('tyres:add.done', { count: added.length }),
  })

  const positions = config ? positionsOf(config.axles) : []
  const set = setNamed(name)
  const required = nameRefused || needsSetName(vehicle.tyres, positions.length)
  const taken = takenIn(vehicle.tyres, set, [...placed.keys()])
  const wanted = tyresToAdd(chosen, placed)
  const reserved = isReserved(name)
  const complaint = reserved
    ? t('fleet:setNameReserved', { name: name.trim() })
    : taken.length > 0
      ? t('failures:set.positions_taken', { positions: taken.join(', ') })
      : tried && required && set === null
        ? t('failures:set.name_missing')
        : undefined
  const nameField = useRef<HTMLInputElement>(null)
  // What the server said last, unless the field says it already.
  const refused = add.error && add.error.code !== 'set.name_missing' ? add.error : null

  useEntered(chosen.length > 0 || name.trim() !== '', dialog.setDirty)

  function choose(one: Chosen) {
    setChosen(before => (before.some(({ key }) => key === one.key) ? before : [...before, one]))
    setActive(one.key)
  }
  function drop(key: string) {
    const rest = chosen.filter(one => one.key !== key)
    setChosen(rest)
    setPlaced(without(placed, key))
    if (active === key) setActive(rest.at(-1)?.key ?? null)
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    if (add.isPending || wanted.length === 0) return
    setTried(true)
    if (reserved || taken.length > 0 || (required && set === null)) {
      nameField.current?.focus()
      return
    }
    try {
      await add.mutateAsync({ flt_id: vehicle.flt_id, tyre_set: set, tyres: wanted })
      dialog.close()
    } catch (error) {
      if (error instanceof Refused && error.code === 'set.name_missing') {
        setNameRefused(true)
        nameField.current?.focus()
      }
    }
  }

  if (!config)
    return (
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="alert">
        {t('tyres:add.noConfiguration')}
      </Alert>
    )
  const sets = [...new Set(vehicle.tyres.flatMap(tyre => tyre.tyre_set ?? []))].toSorted((a, b) => a.localeCompare(b))
  return (
    <div className={classes.adding}>
      <div className={classes.columns}>
        <section className={classes.column} aria-labelledby="add-articles">
          <Title order={3} id="add-articles">
            {t('tyres:add.articles')}
          </Title>
          <Search chosen={chosen} choose={choose} drop={drop} />
        </section>
        <section className={classes.column} aria-labelledby="add-positions">
          <Title order={3} id="add-positions">
            {t('tyres:add.positions')}
          </Title>
          <ChosenArticles chosen={chosen} placed={placed} active={active} activate={setActive} drop={drop} />
          {active !== null && (
            <Positions
              config={config}
              vehicle={vehicle}
              chosen={chosen}
              placed={placed}
              active={active}
              set={set}
              place={some => setPlaced(before => placedAlso(before, some, active))}
            />
          )}
        </section>
      </div>
      <form onSubmit={event => void send(event)} className={classes.foot} noValidate>
        {refused && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" className={classes.refused}>
            {messageOf(refused)}
          </Alert>
        )}
        <Autocomplete
          ref={nameField}
          label={t('tyres:add.setName')}
          description={required ? t('tyres:add.setNameWhy') : t('tyres:add.setNameHint')}
          data={sets}
          value={name}
          onChange={setName}
          error={complaint}
          required={required}
          maxLength={setNameMax}
          autoComplete="off"
          comboboxProps={{ withinPortal: false, position: 'top-start' }}
          withScrollArea={false}
          className={classes.name}
        />
        <Group gap="xs" justify="flex-end" className={classes.buttons}>
          <Button variant="default" onClick={dialog.cancel}>
            {t('tyres:add.cancel')}
          </Button>
          <Button
            type="submit"
            disabled={wanted.length === 0}
            loading={add.isPending}
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            {wanted.length === 0 ? t('tyres:add.submitNone') : t('tyres:add.submit', { count: wanted.length })}
          </Button>
        </Group>
      </form>
    </div>
  )
}

/** SPEC §9: what is typed is looked for when it stood still for this many milliseconds. */
const searchDelay = 200
/** With one letter nearly everything is found. */
const searchLength = 2

type SearchProps = { chosen: readonly Chosen[]; choose: (one: Chosen) => void; drop: (key: string) => void }

/** SPEC §5 "Article search string". */
function Search({ chosen, choose, drop }: SearchProps) {
  const { t } = useTranslation('tyres')
  const [words, setWords] = useState('')
  const wanted = useDebounced(words.trim(), searchDelay)
  const found = useInfiniteQuery({
    queryKey: [...keyOf(fleet.searcharticles, { search_value: wanted }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      ask(fleet.searcharticles, { search_value: wanted, last_article: pageParam }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: last => (last.more_available ? (last.articles.at(-1)?.art_id ?? null) : null),
    enabled: wanted.length >= searchLength,
  })
  const articles = found.data?.pages.flatMap(page => page.articles) ?? []
  return (
    <>
      <TextInput
        type="search"
        label={t('add.search')}
        description={t('add.searchHint')}
        placeholder="205/55R16 91V * Michelin"
        value={words}
        onChange={event => setWords(event.currentTarget.value)}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={found.isFetching && !found.isFetchingNextPage ? <Loader size={16} /> : null}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      {wanted.length < searchLength ? null : found.isPending ? (
        <Placeholders rows={4} />
      ) : found.isError && articles.length === 0 ? (
        <Failed error={found.error} retry={found.refetch} />
      ) : articles.length === 0 ? (
        <Empty text={t('add.noArticles')} icon={IconSearch} />
      ) : (
        <div className={classes.results}>
          <ul className={classes.articles} aria-label={t('add.results')}>
            {articles.map(article => (
              <Result
                key={article.art_id}
                article={article}
                chosen={chosen.some(({ key }) => key === keyFor(article))}
                toggle={is =>
                  is
                    ? drop(keyFor(article))
                    : choose({ key: keyFor(article), description: article.description, article: article.art_id })
                }
              />
            ))}
          </ul>
          {found.hasNextPage && (
            <Button
              variant="subtle"
              fullWidth
              loading={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              {t('add.more')}
            </Button>
          )}
          {found.isFetchNextPageError && <Failed error={found.error} retry={found.fetchNextPage} />}
        </div>
      )}
      <Text role="status" className="wh-hidden">
        {found.isSuccess && articles.length > 0 && t('add.found', { count: articles.length })}
      </Text>
      <Unknown choose={choose} />
    </>
  )
}

const keyFor = (article: Article) => `article ${article.art_id}`
const seasons = ['winter', 'summer', 'all_season', 'snow'] as const

function Result({ article, chosen, toggle }: { article: Article; chosen: boolean; toggle: (chosen: boolean) => void }) {
  const { t } = useTranslation('tyres')
  const season = seasons.find(one => one === article.season)
  return (
    <li>
      <UnstyledButton className={classes.article} aria-pressed={chosen} onClick={() => toggle(chosen)}>
        <span className={classes.tick} aria-hidden>
          {chosen && <IconCheck size={16} stroke={2.5} />}
        </span>
        <span className={classes.articleText}>{article.description}</span>
        {season && (
          <Badge size="sm" variant="default" className={classes.season}>
            {t(`season.${season}`)}
          </Badge>
        )}
      </UnstyledButton>
    </li>
  )
}

/** SPEC §5 "Unknown article": one that the catalogue does not have; only the seasons that the site has an article for. */
function Unknown({ choose }: { choose: (one: Chosen) => void }) {
  const { t } = useTranslation(['tyres', 'failures'])
  const site = useSite()
  const standIns = {
    winter: site.unknownWinterArticleId,
    summer: site.unknownSummerArticleId,
    all_season: site.unknownAllSeasonArticleId,
    snow: site.unknownSnowArticleId,
  } as const satisfies Record<(typeof seasons)[number], number | null>
  const [open, setOpen] = useState(false)
  const [type, setType] = useState<UnknownArticle['type']>(null)
  const [description, setDescription] = useState('')
  const [tried, setTried] = useState(false)
  const id = useId()
  const incomplete = !type || description.trim() === ''
  const offered = seasons.filter(season => standIns[season] !== null)
  if (!site.allowUnknownArticle || offered.length === 0) return null

  function take() {
    setTried(true)
    if (!type || incomplete) return
    const said = description.trim()
    choose({
      key: `unknown ${type} ${said}`,
      description: `${said} (${t(`tyres:season.${type}`)})`,
      unknown: { type, description: said },
    })
    setDescription('')
    setTried(false)
  }
  return (
    <div className={classes.unknown}>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className={classes.unknownOpener}
      >
        {t('tyres:add.unknown')}
      </Button>
      <Collapse expanded={open} id={id}>
        <div className={classes.unknownFields}>
          <Choice
            label={t('tyres:add.unknownType')}
            data={offered.map(season => ({ value: season, label: t(`tyres:season.${season}`) }))}
            value={type ?? null}
            onChange={value => setType(seasons.find(season => season === value) ?? null)}
            error={tried && !type}
            required
          />
          <TextInput
            label={t('tyres:add.unknownDescription')}
            value={description}
            onChange={event => setDescription(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key === 'Enter') take()
            }}
            error={tried && description.trim() === ''}
            maxLength={unknownDescriptionMax}
            autoComplete="off"
            required
          />
          <Button variant="default" onClick={take}>
            {t('tyres:add.unknownTake')}
          </Button>
        </div>
        {tried && incomplete && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {t('failures:article.unknown_incomplete')}
          </Text>
        )}
      </Collapse>
    </div>
  )
}

type ChosenProps = {
  chosen: readonly Chosen[]
  placed: Placed
  active: string | null
  activate: (key: string) => void
  drop: (key: string) => void
}

/** The chosen articles with their positions. The picture below belongs to the one that is marked. */
function ChosenArticles({ chosen, placed, active, activate, drop }: ChosenProps) {
  const { t } = useTranslation('tyres')
  if (chosen.length === 0) return <Empty text={t('add.chooseFirst')} />
  return (
    <ul className={classes.chosen} aria-label={t('add.chosen')}>
      {chosen.map(one => {
        const positions = positionsFor(placed, one.key)
        return (
          <li key={one.key} className={classes.chosenOne} data-active={one.key === active || undefined}>
            <UnstyledButton
              className={classes.chosenText}
              aria-pressed={one.key === active}
              onClick={() => activate(one.key)}
            >
              <span>{one.description}</span>
              <span className={classes.chosenPositions}>
                {positions.length === 0 ? t('add.noPositions') : positions.join(', ')}
              </span>
            </UnstyledButton>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('add.drop', { article: one.description })}
              onClick={() => drop(one.key)}
            >
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}

type PositionsProps = {
  config: VehicleConfig
  vehicle: Vehicle
  chosen: readonly Chosen[]
  placed: Placed
  active: string
  set: string | null
  place: (positions: readonly string[]) => void
}

function Positions({ config, vehicle, chosen, placed, active, set, place }: PositionsProps) {
  const { t } = useTranslation('tyres')
  const positions = positionsOf(config.axles)
  const taken = new Set(takenIn(vehicle.tyres, set, positions))
  const free = positions.filter(position => !taken.has(position))
  const mine = positionsFor(placed, active)
  const isMine = (some: readonly string[]) => some.length > 0 && some.every(position => mine.includes(position))
  const axles = [...Map.groupBy(free, position => Number.parseInt(position, 10))]
  const ids = new Map<string, number>(positions.map((position, at) => [position, at + 1]))
  return (
    <>
      <Group gap={6} role="group" aria-label={t('add.pickPositions')} className={classes.quick}>
        <Button
          size="compact-sm"
          variant={isMine(free) ? 'light' : 'default'}
          aria-pressed={isMine(free)}
          disabled={free.length === 0}
          onClick={() => place(free)}
        >
          {t('add.allPositions', { count: free.length })}
        </Button>
        {axles.map(([axle, some]) => (
          <Button
            key={axle}
            size="compact-sm"
            variant={isMine(some) ? 'light' : 'default'}
            aria-pressed={isMine(some)}
            onClick={() => place(some)}
          >
            {t('add.axle', { axle, count: some.length })}
          </Button>
        ))}
      </Group>
      <ConfigurationPicture
        config={config}
        tyres={positions.map(position => {
          const key = placed.get(position)
          const there = chosen.find(one => one.key === key)
          return {
            id: ids.get(position) ?? 0,
            position,
            set,
            description: there?.description ?? t('add.free'),
            state:
              key === active
                ? 'selected'
                : key !== undefined
                  ? 'preselected'
                  : taken.has(position)
                    ? 'blocked'
                    : 'free',
            reason: taken.has(position) ? t('add.taken') : undefined,
          }
        })}
        pick={some => place(positions.filter(position => some.includes(ids.get(position) ?? 0)))}
      />
      {chosen.length > 1 && (
        <Text size="xs" c="dimmed" ta="center">
          {t('add.others')}
        </Text>
      )}
    </>
  )
}
