/** The second step of an account: its passkeys, its authenticator app and its recovery codes. */
import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconDeviceMobile, IconFingerprint, IconTicket } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { AppOffered, Factors } from '#contract/factors.ts'
import { account as calls } from '#contract/session.ts'
import { ask, messageOf, useAnswer, useCall } from '../shared/api.ts'
import { AppSetup } from './factors/appSetup.tsx'
import { hasPasskeys, makePasskey } from './factors/passkeys.ts'
import { RecoveryCodes } from './factors/recoveryCodes.tsx'
import { deviceTimeZone, formatMoment } from '../shared/format.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { useWho } from '../shared/session.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { Form, FormActions } from '../ui/form/form.tsx'
import { FormDialog, type DialogControls } from '../ui/form/formDialog.tsx'
import { useForm } from '../ui/form/useForm.ts'
import { notify } from '../ui/notify.ts'
import classes from './account.module.css'

const dayOf = (moment: string): string => formatMoment(moment, deviceTimeZone()).slice(0, 'DD/MM/YYYY'.length)

export function SecondStep() {
  const { t } = useTranslation(['factors', 'account'])
  const factors = useAnswer(calls.factors, {})
  return (
    <section className={classes.part} aria-labelledby="second-step">
      <Title order={2} size="h4" id="second-step" mb="xs">
        {t('title')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('text')}
      </Text>
      {factors.data ? (
        <Known factors={factors.data} />
      ) : factors.isError ? (
        <Failed error={factors.error} retry={factors.refetch} />
      ) : (
        <Placeholders rows={2} />
      )}
    </section>
  )
}

/** The second factors of the account, as rows of one table: people see all of them as ways in. */
type Way = { key: string; name: string; added: string; used: string | null; passkey: number | null }
const waysOf = ({ passkeys, app }: Factors, appName: string): Way[] => [
  ...passkeys.map(({ _id, name, created, used }) => ({ key: String(_id), name, added: created, used, passkey: _id })),
  ...(app ? [{ key: 'app', name: appName, added: app.created, used: app.used, passkey: null }] : []),
]

function Known({ factors }: { factors: Factors }) {
  const { t } = useTranslation(['factors', 'account'])
  const { username } = useWho()
  const [naming, setNaming] = useState(false)
  const [app, setApp] = useState<AppOffered | null>(null)
  const [codes, setCodes] = useState<readonly string[]>([])
  const offer = useCall(calls.offer)
  const renew = useCall(calls.renewcodes)
  const add = useCall(calls.addapp, { done: 'factors:appAdded', shown: ['factor.wrong'] })
  const ways = waysOf(factors, t('app'))

  function chooseApp() {
    offer.mutate(
      {},
      {
        onSuccess: offered => (offered.app ? setApp(offered.app) : notify.error(t('appsOff'))),
      },
    )
  }
  async function renewCodes() {
    const sure = await confirmFirst({ title: t('renewCodes'), text: t('renewCodesText'), confirm: t('renew') })
    if (sure) renew.mutate({}, { onSuccess: renewed => setCodes(renewed.codes) })
  }
  return (
    <Stack gap="sm">
      {ways.length > 0 && <Ways ways={ways} />}
      {ways.length > 0 && (
        <Group gap="sm" justify="space-between">
          <Text size="sm">{t('codesLeft', { count: factors.codes })}</Text>
          <Button
            variant="subtle"
            leftSection={<IconTicket size={18} aria-hidden />}
            loading={renew.isPending}
            onClick={() => void renewCodes()}
          >
            {t('renewCodes')}
          </Button>
        </Group>
      )}
      <Group gap="sm">
        {hasPasskeys() && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} aria-hidden />}
            onClick={() => setNaming(true)}
          >
            {t('addPasskey')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconDeviceMobile size={18} aria-hidden />}
          loading={offer.isPending}
          onClick={chooseApp}
        >
          {t(factors.app ? 'replaceApp' : 'addApp')}
        </Button>
      </Group>
      {!hasPasskeys() && (
        <Text size="sm" c="dimmed">
          {t('noPasskeysHere')}
        </Text>
      )}
      <FormDialog
        opened={naming}
        onClose={() => setNaming(false)}
        title={t('addPasskey')}
        size="26rem"
        lost={t('unsaved')}
      >
        {dialog => <NewPasskey dialog={dialog} onAdded={setCodes} />}
      </FormDialog>
      <Modal opened={app !== null} onClose={() => setApp(null)} title={t('addApp')} size="26rem">
        {app && (
          <AppSetup
            app={app}
            submit={t('add')}
            add={async code => {
              const added = await add.mutateAsync({ sealed: app.sealed, code })
              setApp(null)
              setCodes(added.codes)
            }}
          />
        )}
      </Modal>
      <Modal
        opened={codes.length > 0}
        onClose={() => setCodes([])}
        title={t('codes')}
        size="28rem"
        // they are shown once: the dialog can't be closed by accident
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        <RecoveryCodes username={username} codes={codes} done={t('codesKept')} onKept={() => setCodes([])} />
      </Modal>
    </Stack>
  )
}

function Ways({ ways }: { ways: readonly Way[] }) {
  const { t } = useTranslation(['factors', 'account'])
  const removePasskey = useCall(calls.removepasskey, { done: 'factors:removed' })
  const removeApp = useCall(calls.removeapp, { done: 'factors:removed' })
  async function remove({ name, passkey }: Way) {
    const sure = await confirmFirst({
      title: t('removeQuestion', { name }),
      text: t(ways.length === 1 ? 'removeLastText' : 'removeText'),
      confirm: t('remove'),
      danger: true,
    })
    if (!sure) return
    if (passkey === null) removeApp.mutate({})
    else removePasskey.mutate({ _id: passkey })
  }
  const lastUse = (used: string | null): string => (used === null ? t('never') : dayOf(used))
  return (
    <DataTable
      columns={[
        {
          id: 'name',
          header: t('way'),
          render: ({ name, added, used }) => (
            <>
              <span translate="no">{name}</span>
              <BelowCell>{t('addedAndUsed', { added: dayOf(added), used: lastUse(used) })}</BelowCell>
            </>
          ),
          area: 'name',
        },
        { id: 'added', header: t('added'), render: ({ added }) => dayOf(added), nowrap: true, from: 'sm' },
        { id: 'used', header: t('account:seen'), render: ({ used }) => lastUse(used), nowrap: true, from: 'sm' },
        {
          id: 'remove',
          header: '',
          render: way => (
            <Button
              variant="subtle"
              color="red"
              size="compact-md"
              aria-label={t('removeNamed', { name: way.name })}
              loading={
                way.passkey === null
                  ? removeApp.isPending
                  : removePasskey.isPending && removePasskey.variables._id === way.passkey
              }
              onClick={() => void remove(way)}
            >
              {t('remove')}
            </Button>
          ),
          align: 'end',
          area: 'remove',
        },
      ]}
      rows={ways}
      keyOf={({ key }) => key}
      empty=""
      phone={{ areas: ['name remove'], columns: 'minmax(0, 1fr) auto' }}
      frame
    />
  )
}

type NewPasskeyProps = { dialog: DialogControls; onAdded: (codes: readonly string[]) => void }

function NewPasskey({ dialog, onAdded }: NewPasskeyProps) {
  const { t } = useTranslation('factors')
  const [wrong, setWrong] = useState<string | undefined>()
  const add = useCall(calls.addpasskey, {
    done: 'factors:passkeyAdded',
    shown: ['factor.wrong', 'account.too_many_passkeys'],
  })
  const form = useForm({
    secret: true,
    initial: { name: '' },
    dialog,
    onFailure(error) {
      setWrong(messageOf(error))
      return true
    },
  })
  async function make() {
    setWrong(undefined)
    const response = await makePasskey((await ask(calls.offer, {})).passkey)
    const { codes } = await add.mutateAsync({ name: form.values.name.trim() || t('passkeyNameless'), response })
    dialog.close()
    onAdded(codes)
  }
  return (
    <Form form={form} onSubmit={make}>
      <Stack gap="md">
        <Text size="sm">{t('newPasskeyText')}</Text>
        <TextInput
          {...form.text('name')}
          label={t('passkeyName')}
          placeholder={t('passkeyNameExample')}
          error={wrong}
          maxLength={100}
          data-autofocus
        />
        <FormActions form={form} dialog={dialog} submit={t('add')} />
      </Stack>
    </Form>
  )
}
