import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

/** Underlined: within a text, colour alone would not tell it from its words (WCAG 1.4.1). */
const Underlined = (props: AnchorProps & Omit<ComponentProps<'a'>, keyof AnchorProps>) => (
  <Anchor underline="always" {...props} />
)

/** A link in a text, to a screen, with the address typed. */
export const TextLink = createLink(Underlined)

const AnchorButton = (props: ButtonProps & Omit<ComponentProps<'a'>, keyof ButtonProps>) => (
  <Button component="a" {...props} />
)

/** A link that looks like a button, to a screen, with the address typed. */
export const LinkButton = createLink(AnchorButton)
