import { Button, type ButtonProps } from '@mantine/core'
import { IconFileTypePdf } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTask } from './useTask.ts'
import { say } from '../i18n.ts'
import { notify } from '../ui/notify.ts'
import { missingLetters, pdfBytes } from '../ui/pdfBytes.ts'

/** Says which letters of a print no font has; null where it has all. */
export function missingLettersIn(pdf: Uint8Array): string | null {
  const letters = missingLetters(pdf)
  return letters.length === 0 ? null : say('common:missingLetters', { letters: letters.join(' ') })
}

/**
 * Opens a PDF that came as base64 in a tab of its own; where a browser forbids that it is downloaded. `name` without `.pdf`. Letters that
 * no font has are named in a toast, which stays: the tab stands in front of it.
 */
export function openPdf(base64: string, name: string): boolean {
  const bytes = pdfBytes(base64)
  if (!bytes) {
    notify.error(say('common:invalidPdf'))
    return false
  }
  const warning = missingLettersIn(bytes)
  if (warning) notify.warning(warning, { id: 'missing-letters' })
  const url = URL.createObjectURL(new File([bytes], `${name}.pdf`, { type: 'application/pdf' }))
  const opened = navigator.pdfViewerEnabled ? window.open(url, '_blank') : null
  if (opened) opened.opener = null
  else {
    const link = document.createElement('a')
    link.href = url
    link.download = `${name}.pdf`
    link.click()
  }
  // The tab reads it while it opens, and again when it is printed or saved.
  setTimeout(() => URL.revokeObjectURL(url), 10 * 60_000)
  return true
}

type PdfButtonProps = ButtonProps & { name: string; pdf: () => Promise<string>; children: ReactNode }

/** A button that fetches a PDF as base64 and opens it. */
export function PdfButton({ name, pdf, children, ...button }: PdfButtonProps) {
  const { busy, run } = useTask()
  return (
    <Button
      variant="default"
      leftSection={<IconFileTypePdf size={18} aria-hidden />}
      {...button}
      loading={busy}
      onClick={() => void run(async () => openPdf(await pdf(), name))}
    >
      {children}
    </Button>
  )
}
