/** A field for one file, dropped or chosen: to screen readers a button that reads out its content. */
import '@mantine/dropzone/styles.layer.css'
import { Group, Text } from '@mantine/core'
import { Dropzone, type DropzoneProps } from '@mantine/dropzone'
import type { ReactNode } from 'react'
import classes from './fileDrop.module.css'

type Props = Pick<DropzoneProps, 'accept' | 'loading'> & {
  readonly icon: ReactNode
  /** The instruction, or the name of the chosen file. */
  readonly title: string
  readonly hint: string
  readonly onChoose: (file: File) => void
  /** A file of another kind, or several. */
  readonly onRefuse: () => void
}

/** The browser's own field inside a button is hidden: the button opens it. */
export const unseen = { style: { display: 'none' } } as const

export function FileDrop({ icon, title, hint, onChoose, onRefuse, ...props }: Props) {
  return (
    <Dropzone
      {...props}
      className={classes.drop}
      multiple={false}
      onDrop={([file]) => file && onChoose(file)}
      onReject={onRefuse}
      role="button"
      inputProps={unseen}
      data-autofocus
    >
      <Group gap="sm" wrap="nowrap" justify="center">
        {icon}
        <div>
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        </div>
      </Group>
    </Dropzone>
  )
}
