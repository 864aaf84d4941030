import { Button, TextInput } from '@mantine/core'
import { IconCarOff, IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from '../ui/texts.ts'
import { useForm } from '../ui/form/useForm.ts'
import { Form } from '../ui/form/form.tsx'
import { Empty } from '../shared/screen.tsx'
import classes from './vehicleView.module.css'

/** An unknown vehicle, with a search for another one. */
export function MissingVehicle() {
  const { t } = useTranslation('fleet')
  const navigate = useNavigate()
  const form = useForm({ initial: { wanted: '' } })
  const { wanted } = form.values
  return (
    <Empty text={t('gone.title')} icon={IconCarOff}>
      <Form
        form={form}
        className={classes.search}
        onSubmit={() => navigate({ to: '/fleet', search: wanted.trim() === '' ? {} : { filter: wanted.trim() } })}
      >
        <TextInput
          {...form.text('wanted')}
          type="search"
          aria-label={t('gone.search')}
          placeholder={t('gone.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
        />
        <Button type="submit" variant="default">
          {t('gone.go')}
        </Button>
      </Form>
    </Empty>
  )
}
