/** The scan screen, full size (docs/product/warehouse.md "Intake"). */
import { Button, Modal } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useTranslation } from '../ui/texts.ts'
import type { Operation } from '#contract/wire.ts'
import type { OfferedType } from '#domain/tyres/tyre.ts'
import { History, Latest } from './history.tsx'
import classes from './intake.module.css'
import type { IntakeWork } from './intakeWork.ts'
import { progress } from '../handling/lookup.ts'
import { AsOf } from '../shared/offline/asOf.tsx'
import { useAwake } from '../scanning/awake.ts'
import { ChooseType } from './chooseType.tsx'
import { Mute } from './mute.tsx'
import { DocumentToday } from '../handling/documentQuestion.tsx'
import { Ready } from './ready.tsx'
import { SendState, SendProblems } from './sendState.tsx'
import { isPrerendering } from '../ui/prerendering.ts'

type ScanScreenProps = {
  mode: OfferedType
  work: IntakeWork
  confirm: (operation: Operation) => void
  choose: (type: OfferedType) => void
  goBack: () => void
  byHand: () => void
}

/** Scanning and nothing else, as large as the display. Keeps the display on where the browser can. */
export function ScanScreen({ mode, work, confirm, choose, goBack, byHand }: ScanScreenProps) {
  const { t } = useTranslation('intake')
  useAwake()
  const ofMode = work.operations?.filter(operation => operation.type === mode) ?? []
  const tyres = ofMode.reduce((sum, operation) => sum + operation.tyres.length, 0)
  const scanned = ofMode.reduce((sum, operation) => sum + progress(operation, work.waiting).scanned, 0)
  return (
    <Modal.Root
      opened
      onClose={goBack}
      fullScreen
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      padding={0}
      returnFocus
      // prerendered, it is part of the page instead of a portal
      withinPortal={!isPrerendering}
      lockScroll={!isPrerendering}
    >
      {/* its address says that it is open: it is there again when the page is loaded anew */}
      <Modal.Content aria-label={t('scanScreen')} data-kept-by-address>
        {/* the focus starts on nothing that a scanner's Enter could press */}
        <div className={classes.scanScreen} tabIndex={-1} data-autofocus>
          <div className={classes.scanHead}>
            <Button variant="default" leftSection={<IconArrowLeft size={18} aria-hidden />} onClick={goBack}>
              {t('goBack')}
            </Button>
            <ChooseType type={mode} choose={choose} />
            <Mute work={work} />
          </div>
          <p className={classes.loaded}>
            {work.operations ? <strong>{t('scannedSoFar', { scanned, count: tyres })}</strong> : t('loading')}
          </p>
          <AsOf at={work.answeredAt} />
          <SendState work={work} />
          <SendProblems work={work} />
          <DocumentToday />
          <Latest work={work} confirm={confirm} choose={choose} byHand={byHand} />
          <Ready type={mode} work={work} confirm={confirm} />
          <History work={work} confirm={confirm} />
        </div>
      </Modal.Content>
    </Modal.Root>
  )
}
