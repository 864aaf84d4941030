import { Anchor } from '@mantine/core'
import { createLink } from '@tanstack/react-router'

/** A link in a text, to a screen, with the address typed. */
export const TextLink = createLink(Anchor<'a'>)
