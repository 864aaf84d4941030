/** The dialog that adds tyres to a vehicle. Input stays when the server refuses. */
import { Alert, Autocomplete, Badge, Button, Group, Stack, Title, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { tyres as calls } from '#contract/tyres.ts'
import type { Article, Vehicle } from '#contract/wire.ts'
import { positionsOf } from '#domain/vehicles/axle.ts'
import { misfits } from '#domain/tyres/fitness.ts'
import { seasons } from '#domain/tyres/tyre.ts'
import { isReservedSetName } from '#domain/tyres/tyreSet.ts'
import { say } from '../../i18n.ts'
import { Form } from '../../ui/form/form.tsx'
import { lossOf } from '../../ui/form/loss.ts'
import { type DialogControls, FocusWhenLoaded, FormDialog } from '../../ui/form/formDialog.tsx'
import { messageOf, Refused, useCall } from '../../shared/api.ts'
import { ArticleSearch } from '../../articles/articleSearch.tsx'
import { useContractForm } from '../../shared/form/useContractForm.ts'
import { Placeholders } from '../../shared/screen.tsx'
import { useVehicleConfigs } from '../../shared/session.ts'
import {
  type Chosen,
  needsSetName,
  placed as placedAlso,
  type Placed,
  setNamed,
  setNameMax,
  takenIn,
  tyresToAdd,
  without,
} from './adding.ts'
import { useNarrow } from '../../ui/usePhone.ts'
import classes from './addTyres.module.css'
import { ChosenArticles, Positions } from './placing.tsx'
import { UnknownArticle } from '../sets/unknownArticle.tsx'

type AddTyresProps = { vehicle: Vehicle; opened: boolean; onClose: () => void }

export function AddTyres({ vehicle, opened, onClose }: AddTyresProps) {
  const { t } = useTranslation('tyres')
  const narrow = useNarrow()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t('add.title')}
      size="68rem"
      fullScreen={narrow}
      lost={t('add.discardText')}
    >
      {dialog => (
        <Suspense fallback={<Placeholders rows={5} />}>
          <Adding vehicle={vehicle} dialog={dialog} />
          <FocusWhenLoaded />
        </Suspense>
      )}
    </FormDialog>
  )
}

type Fields = { chosen: readonly Chosen[]; placed: Placed; name: string }
const nothing: Fields = { chosen: [], placed: new Map(), name: '' }

function Adding({ vehicle, dialog }: { vehicle: Vehicle; dialog: DialogControls }) {
  const { t } = useTranslation(['tyres', 'failures', 'fleet', 'common'])
  const configs = useVehicleConfigs()
  const config = configs.find(({ description }) => description === vehicle.configuration)
  const [active, setActive] = useState<string | null>(null)
  const [nameRefused, setNameRefused] = useState(false)
  const add = useCall(calls.add, {
    doing: 'tyres:add.doing',
    done: added => say('tyres:add.done', { count: added.length }),
  })
  // the vehicle may already hold the new tyres before the dialog closes: that is not an error
  const saving = add.isPending || add.isSuccess
  const required = nameRefused || needsSetName(vehicle.tyres, config ? positionsOf(config.axles).length : 0)

  /** The error of the set's name, while it is typed. */
  function nameError({ name, placed }: Fields): string | undefined {
    if (saving) return undefined
    if (isReservedSetName(name)) return t('fleet:setNameReserved', { name: name.trim() })
    const taken = takenIn(vehicle.tyres, setNamed(name), [...placed.keys()])
    return taken.length > 0 ? t('failures:set.positions_taken', { positions: taken.join(', ') }) : undefined
  }
  const form = useContractForm({
    initial: nothing,
    loss: ({ chosen, name }) => lossOf({ chosen: [], name: '' }, { chosen, name: name.trim() }),
    input: ({ chosen, placed, name }) => ({
      flt_id: vehicle.flt_id,
      tyre_set: setNamed(name),
      tyres: tyresToAdd(chosen, placed),
    }),
    rules: ({ name }) => ({
      name: !saving && required && setNamed(name) === null ? t('failures:set.name_missing') : undefined,
    }),
    errorsOnBlur: () => false,
    liveErrors: values => ({ name: nameError(values) }),
    dialog,
  })
  const { chosen, placed } = form.values
  const { tyre_set: set, tyres: wanted } = form.input
  // The name's own field reports that it is missing.
  const refused = form.refused?.code === 'set.name_missing' ? null : form.refused

  function choose(choice: Chosen) {
    form.set(now => ({
      chosen: now.chosen.some(({ key }) => key === choice.key) ? now.chosen : [...now.chosen, choice],
    }))
    setActive(choice.key)
  }
  function drop(key: string) {
    const rest = chosen.filter(choice => choice.key !== key)
    form.set({ chosen: rest, placed: without(placed, key) })
    if (active === key) setActive(rest.at(-1)?.key ?? null)
  }
  async function send(wish: typeof form.input) {
    if (wish.tyres.length === 0) return
    try {
      await add.mutateAsync(wish)
    } catch (error) {
      if (error instanceof Refused && error.code === 'set.name_missing') setNameRefused(true)
      throw error
    }
    dialog.close()
  }

  if (!config)
    return (
      <Alert color="orange" icon={<IconAlertTriangle aria-hidden />} role="alert">
        <Stack gap="xs" align="flex-start">
          {t('tyres:add.noConfiguration')}
          <Button variant="default" size="xs" onClick={dialog.close}>
            {t('common:close')}
          </Button>
        </Stack>
      </Alert>
    )
  const descriptions = new Map(chosen.map(({ key, description }) => [key, description]))
  const unlikely = saving
    ? []
    : misfits(
        vehicle.tyres,
        [...placed].map(([position, key]) => ({ position, description: descriptions.get(key) ?? '' })),
      )
  const sets = [...new Set(vehicle.tyres.flatMap(tyre => tyre.tyre_set ?? []))].toSorted((a, b) => a.localeCompare(b))
  return (
    <div className={classes.adding}>
      <div className={classes.columns}>
        <section className={classes.column} aria-labelledby="add-articles">
          <Title order={3} id="add-articles">
            {t('tyres:add.articles')}
          </Title>
          <Articles chosen={chosen} choose={choose} drop={drop} />
          <UnknownArticle choose={choose} />
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
              place={some => form.set(now => ({ placed: placedAlso(now.placed, some, active) }))}
            />
          )}
        </section>
      </div>
      <Form form={form} onSubmit={send} className={classes.foot}>
        {unlikely.map(({ size, usual, positions }) => (
          <Alert
            key={`${size} ${usual}`}
            color="orange"
            icon={<IconAlertTriangle aria-hidden />}
            role="status"
            className={classes.refused}
          >
            {t('tyres:add.unlikelySize', { count: positions.length, size, usual, positions: positions.join(', ') })}
          </Alert>
        ))}
        {refused && (
          <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert" className={classes.refused}>
            {messageOf(refused)}
          </Alert>
        )}
        <Autocomplete
          {...form.choice('name')}
          value={form.values.name}
          label={t('tyres:add.setName')}
          description={required ? t('tyres:add.setNameWhy') : t('tyres:add.setNameHint')}
          // buttons stand beside it
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          data={sets}
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
            loading={form.busy}
            leftSection={<IconPlus size={18} aria-hidden />}
          >
            {wanted.length === 0 ? t('tyres:add.submitNone') : t('tyres:add.submit', { count: wanted.length })}
          </Button>
        </Group>
      </Form>
    </div>
  )
}

type ArticlesProps = { chosen: readonly Chosen[]; choose: (one: Chosen) => void; drop: (key: string) => void }

/** The articles of the catalogue, to choose some. */
function Articles({ chosen, choose, drop }: ArticlesProps) {
  const { t } = useTranslation('tyres')
  return (
    <ArticleSearch
      texts={{ label: t('add.search'), hint: t('add.searchHint'), none: t('add.noArticles'), more: t('add.more') }}
      listLabel={() => t('add.results')}
      status={count => t('add.found', { count })}
      placeholder="205/55R16 91V * Michelin"
      // With one letter nearly everything is found.
      letters={2}
    >
      {article => {
        const key = `article ${article.art_id}`
        const isChosen = chosen.some(choice => choice.key === key)
        return (
          <ArticleButton
            article={article}
            chosen={isChosen}
            onClick={() =>
              isChosen ? drop(key) : choose({ key, description: article.description, article: article.art_id })
            }
          />
        )
      }}
    </ArticleSearch>
  )
}

type ArticleButtonProps = { article: Article; chosen: boolean; onClick: () => void }

function ArticleButton({ article, chosen, onClick }: ArticleButtonProps) {
  const { t } = useTranslation('tyres')
  const season = seasons.find(candidate => candidate === article.season)
  return (
    <UnstyledButton className={classes.article} aria-pressed={chosen} onClick={onClick}>
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
  )
}
