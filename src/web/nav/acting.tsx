/** The customer that an administrator acts for, in the frame of every screen, with the ways to change and to leave. */
import { ActionIcon, Button, Modal, Text, UnstyledButton } from '@mantine/core'
import { IconBuildingCommunity, IconSelector, IconUserCheck, IconX } from '@tabler/icons-react'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from '../ui/texts.ts'
import { actFor } from '../shared/acting.ts'
import { isMissing } from '../shared/api.ts'
import { useActing, useFleet, useWho } from '../shared/session.ts'
import { CustomerSearch } from '../customers/customerSearch.tsx'
import { useSwitchCustomer } from '../customers/switch.ts'
import { notify } from '../ui/notify.ts'
import { Placeholders } from '../shared/screen.tsx'
import classes from './acting.module.css'

/** For administrators only. Shows the customer acted for, or a choice. */
export function Acting() {
  const { t } = useTranslation('nav')
  const acting = useActing()
  const exchange = useSwitchCustomer()
  const [choosing, setChoosing] = useState(false)
  const Icon = acting ? IconUserCheck : IconBuildingCommunity

  async function choose(customer: typeof acting) {
    setChoosing(false)
    await exchange(customer)
  }
  return (
    <div className={classes.acting} data-for={acting?.seq_id}>
      <UnstyledButton className={classes.whom} onClick={() => setChoosing(true)} aria-haspopup="dialog">
        <Icon size={20} stroke={1.7} aria-hidden />
        <span className={classes.words}>
          <span className={classes.label}>{t(acting ? 'acting.for' : 'acting.nobody')}</span>{' '}
          <span className={classes.name}>{acting ? acting.name : t('acting.site')}</span>
        </span>
        <span className="wh-hidden"> {t('acting.change')}</span>
        {!acting && <IconSelector size={16} aria-hidden className={classes.opens} />}
      </UnstyledButton>
      {acting && (
        <ActionIcon
          variant="subtle"
          color="gray"
          className={classes.leave ?? ''}
          aria-label={t('acting.leave', { name: acting.name })}
          title={t('acting.leave', { name: acting.name })}
          onClick={() => void choose(null)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
      {/* for who does not see the frame change */}
      <span role="status" className="wh-hidden">
        {acting && t('acting.begun', { name: acting.name })}
      </span>
      {acting && <Gone key={acting.seq_id} />}
      <Modal opened={choosing} onClose={() => setChoosing(false)} title={t('acting.title')} size="lg" centered={false}>
        <Text size="sm" c="dimmed" mb="md">
          {t('acting.text')}
        </Text>
        <Suspense fallback={<Placeholders rows={6} height={52} />}>
          <CustomerSearch choose={customer => void choose(customer)} />
        </Suspense>
        {acting && (
          <Button
            variant="default"
            mt="md"
            leftSection={<IconBuildingCommunity size={18} aria-hidden />}
            onClick={() => void choose(null)}
          >
            {t('acting.leave', { name: acting.name })}
          </Button>
        )}
      </Modal>
    </div>
  )
}

/** A stored customer that the site no longer has: no customer is acted for. */
function Gone() {
  const { t } = useTranslation('nav')
  const { username } = useWho()
  const { error } = useFleet()
  const gone = isMissing(error)
  useEffect(() => {
    if (!gone) return
    actFor(username, null)
    notify.error(t('acting.gone'))
  }, [gone, username, t])
  return null
}
