/** The rules of the tariff, each saved separately (docs/product/money.md "Tariff"). */
import { Button, Group, Switch, Text } from '@mantine/core'
import { IconCalendarOff, IconCoinEuro, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../../ui/texts.ts'
import { hotelconfig as configCalls } from '#contract/config.ts'
import { tariff as calls, type TariffRule } from '#contract/tariff.ts'
import { labelled } from '../../i18n.ts'
import { useAnswer, useCall } from '../../shared/api.ts'
import { useToday } from '../../shared/hooks.ts'
import { RowAction } from '../../shared/rowAction.tsx'
import { Unanswered } from '../../shared/screen.tsx'
import { confirmFirst } from '../../ui/confirm.tsx'
import { DataTable } from '../../ui/dataTable/dataTable.tsx'
import { BelowCell } from '../../ui/dataTable/secondaryText.tsx'
import { FormDialog } from '../../ui/form/formDialog.tsx'
import { TextLink } from '../../ui/link.tsx'
import { useAfterRemoval } from '../../ui/afterRemoval.ts'
import { useRuleText } from './ruleText.ts'
import { EndForm, NewRuleForm, type Storage, SuccessorForm } from './tariffForms.tsx'

type Open = { kind: 'new' } | { kind: 'succeed' | 'end'; rule: TariffRule }

/** Prices of everything that is charged. Without a rule for storage the site's own price applies. */
export function Prices() {
  const { t } = useTranslation(['tariff', 'nav'])
  const config = useAnswer(configCalls.adminconfig, {})
  if (!config.data) return <Unanswered error={config.error} retry={config.refetch} rows={3} height={56} />
  return (
    <section aria-label={t('tariff:title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('tariff:hint')}{' '}
        <TextLink to="/admin/config" search={{ page: 'services' }} hash="invoicing">
          {t('nav:settingsPage.services')}
        </TextLink>
      </Text>
      <Rules site={config.data} />
    </section>
  )
}

type RulesProps = { site: Storage & { services: readonly { _id: number; name: string }[] } }

function Rules({ site }: RulesProps) {
  const { t } = useTranslation('tariff')
  const today = useToday()
  const rules = useAnswer(calls.list, {})
  const [open, setOpen] = useState<Open | null>(null)
  const [past, setPast] = useState(false)
  const describe = useRuleText()
  if (!rules.data) return <Unanswered error={rules.error} retry={rules.refetch} rows={3} height={56} />
  const shown = past ? rules.data : rules.data.filter(({ until }) => until === null || until >= today)
  const titleOf = (dialog: Open) =>
    dialog.kind === 'new' ? t('new') : labelled(t(dialog.kind), describe.name(dialog.rule))
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="md">
          <Text size="sm" c="dimmed">
            {t('count', { count: shown.length })}
          </Text>
          <Switch label={t('past')} checked={past} onChange={event => setPast(event.currentTarget.checked)} />
        </Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpen({ kind: 'new' })}
          data-add
        >
          {t('add')}
        </Button>
      </Group>
      <DataTable
        columns={[
          {
            id: 'rule',
            header: t('column.rule'),
            render: rule => (
              <>
                {describe.name(rule)}
                <Text size="xs" c="dimmed">
                  {rule.customer?.companyname ?? t('everybody')}
                </Text>
                <BelowCell>{`${describe.price(rule)} · ${describe.days(rule)}`}</BelowCell>
              </>
            ),
          },
          { id: 'days', header: t('column.days'), render: describe.days, from: 'sm' },
          { id: 'price', header: t('column.price'), render: describe.price, align: 'end', from: 'sm' },
          {
            id: 'do',
            header: t('column.do'),
            headerHidden: true,
            render: rule => <RuleActions rule={rule} name={describe.name(rule)} open={setOpen} />,
            width: '1%',
          },
        ]}
        rows={shown}
        keyOf={rule => rule._id}
        empty={t('none')}
        phone={{ columns: 'minmax(0, 1fr) auto', heads: 'shown' }}
        frame
      />
      <FormDialog
        opened={open !== null}
        onClose={() => setOpen(null)}
        title={open ? titleOf(open) : ''}
        size="36rem"
        long={open?.kind === 'new'}
        lost={t('lost')}
      >
        {dialog =>
          open !== null &&
          (open.kind === 'new' ? (
            <NewRuleForm site={site} services={site.services} dialog={dialog} />
          ) : open.kind === 'end' ? (
            <EndForm rule={open.rule} dialog={dialog} />
          ) : (
            <SuccessorForm rule={open.rule} dialog={dialog} />
          ))
        }
      </FormDialog>
    </>
  )
}

type RuleActionsProps = { rule: TariffRule; name: string; open: (what: Open) => void }

function RuleActions({ rule, name, open }: RuleActionsProps) {
  const { t } = useTranslation('tariff')
  const leave = useAfterRemoval()
  const remove = useCall(calls.remove, { done: 'tariff:removed' })
  const labelOf = (action: string) => labelled(action, name)
  async function askAndRemove(button: HTMLElement) {
    const sure = await confirmFirst({
      title: labelOf(t('remove')),
      text: t('removeText'),
      confirm: t('remove'),
      danger: true,
    })
    if (!sure) return
    leave(button)
    remove.mutate({ _id: rule._id })
  }
  return (
    <Group gap={0} wrap="nowrap" justify="flex-end">
      <RowAction
        icon={IconCoinEuro}
        label={labelOf(t('succeed'))}
        tip={t('succeed')}
        run={() => open({ kind: 'succeed', rule })}
      />
      <RowAction
        icon={IconCalendarOff}
        label={labelOf(t('end'))}
        tip={t('end')}
        run={() => open({ kind: 'end', rule })}
      />
      <RowAction
        icon={IconTrash}
        label={labelOf(t('remove'))}
        tip={t('remove')}
        barred={rule.used ? t('usedBar') : undefined}
        danger
        loading={remove.isPending}
        run={button => void askAndRemove(button)}
      />
    </Group>
  )
}
