/** The access tokens of an account, or of a site: listed, made and revoked (docs/product/accounts.md "Access tokens"). */
import { Anchor, Badge, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import type { TokenScope } from '#domain/people/token.ts'
import { type AccessToken, tokens as calls } from '#contract/tokens.ts'
import { labelled } from '../i18n.ts'
import { confirmFirst } from '../ui/confirm.tsx'
import { BelowCell } from '../ui/dataTable/secondaryText.tsx'
import { DataTable } from '../ui/dataTable/dataTable.tsx'
import { FormDialog } from '../ui/form/formDialog.tsx'
import { useAnswer, useCall } from '../shared/api.ts'
import { formatMoment } from '../shared/format.ts'
import { Failed, Placeholders } from '../shared/screen.tsx'
import { NewToken } from './newToken.tsx'
import { OnceToken } from './onceToken.tsx'

const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
const dayOf = (moment: string): string => formatMoment(moment, timeZone).slice(0, 'DD/MM/YYYY'.length)

type TokensProps = {
  owner: 'account' | 'site'
  /** The scopes that these tokens may have. */
  scopes: readonly TokenScope[]
}

export function Tokens({ owner, scopes }: TokensProps) {
  const { t } = useTranslation('tokens')
  const answer = useAnswer(owner === 'account' ? calls.own : calls.site, {})
  const [making, setMaking] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Stack gap="sm">
      {answer.data ? (
        <TokenTable owner={owner} tokens={answer.data} />
      ) : answer.isError ? (
        <Failed error={answer.error} retry={answer.refetch} />
      ) : (
        <Placeholders rows={2} />
      )}
      <Group gap="sm" justify="space-between">
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={18} aria-hidden />}
          onClick={() => setMaking(true)}
        >
          {t('new')}
        </Button>
        <Anchor href="/docs" target="_blank" rel="noreferrer" size="sm" underline="always">
          {t('guide')}
        </Anchor>
      </Group>
      <FormDialog opened={making} onClose={() => setMaking(false)} title={t('new')} size="28rem" lost={t('unsaved')}>
        {dialog => <NewToken owner={owner} scopes={scopes} dialog={dialog} onMade={setSecret} />}
      </FormDialog>
      <Modal
        opened={secret !== null}
        onClose={() => setSecret(null)}
        title={t('once')}
        size="32rem"
        // it is shown once: the dialog can't be closed by accident
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
      >
        {secret !== null && <OnceToken token={secret} text={t('onceText')} onKept={() => setSecret(null)} />}
      </Modal>
    </Stack>
  )
}

function TokenTable({ owner, tokens }: { owner: TokensProps['owner']; tokens: readonly AccessToken[] }) {
  const { t } = useTranslation('tokens')
  const revoke = useCall(owner === 'account' ? calls.revoke : calls.revokesite, { done: 'tokens:revoked' })
  const usedOn = ({ used }: AccessToken): string => (used === null ? t('neverUsed') : dayOf(used))
  const endsOn = ({ expires }: AccessToken): string => (expires === null ? t('neverExpires') : dayOf(expires))
  async function askToRevoke({ _id, name }: AccessToken) {
    const sure = await confirmFirst({
      title: t('revokeNamed', { name }),
      text: t('revokeText'),
      confirm: t('revoke'),
      danger: true,
    })
    if (sure) revoke.mutate({ _id })
  }
  return (
    <DataTable
      columns={[
        {
          id: 'name',
          header: t('column.name'),
          render: token => (
            <>
              <strong translate="no">{token.name}</strong>
              <Text size="xs" c="dimmed">
                {t('ending', { ending: token.ending })}
                {owner === 'site' && token.by !== null && ` · ${labelled(t('column.by'), token.by)}`}
              </Text>
              {token.state !== 'usable' && (
                <Text size="xs" c="red" fw={600}>
                  {t(`state.${token.state}`)}
                </Text>
              )}
              <BelowCell width="lg">{t('summary', { used: usedOn(token), expires: endsOn(token) })}</BelowCell>
            </>
          ),
          area: 'name',
        },
        {
          id: 'may',
          header: t('column.may'),
          render: ({ scopes }) => (
            <Group gap={4}>
              {scopes.map(scope => (
                <Badge key={scope} color="gray" size="sm">
                  {t(`scopeShort.${scope}`)}
                </Badge>
              ))}
            </Group>
          ),
          area: 'may',
        },
        { id: 'used', header: t('column.used'), render: usedOn, from: 'lg' },
        { id: 'expires', header: t('column.expires'), render: endsOn, from: 'lg' },
        {
          id: 'revoke',
          header: '',
          render: token => (
            <Button
              variant="subtle"
              color="red"
              size="compact-md"
              aria-label={t('revokeNamed', { name: token.name })}
              loading={revoke.isPending && revoke.variables._id === token._id}
              onClick={() => void askToRevoke(token)}
            >
              {t('revoke')}
            </Button>
          ),
          align: 'end',
          area: 'revoke',
        },
      ]}
      rows={tokens}
      keyOf={({ _id }) => _id}
      empty={t('none')}
      phone={{ areas: ['name revoke', 'may may'], columns: 'minmax(0, 1fr) auto' }}
      frame
    />
  )
}
