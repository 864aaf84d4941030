/** Multipart forms, for the calls that have `files` in the contract. */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#domain/failure.ts'
import { siteImages } from '#domain/site.ts'
import { maxImageBytes, imageTooLarge } from '../features/sites/images.ts'

/**
 * Mounts routes in a scope that accepts multipart forms. All other routes refuse them.
 */
export async function mountForms(app: FastifyInstance, mount: (forms: FastifyInstance) => void): Promise<void> {
  await app.register(async forms => {
    await forms.register(multipart, {
      limits: { fileSize: maxImageBytes, fields: 100, fieldSize: 16 * 1024, fieldNameSize: 100, headerPairs: 20 },
    })
    mount(forms)
  })
}

/**
 * Reads a form: fields as text, repeated ones as a list, and files as bytes under their names; an empty file is left out. The body
 * is read only here, after the call was authorised.
 * @throws Failure `image.too_large`, `request.too_large` for too many parts, `request.invalid` for a malformed form
 */
export async function readForm(request: FastifyRequest, files: readonly string[]): Promise<Record<string, unknown>> {
  const form = new Map<string, unknown>()
  try {
    for await (const part of request.parts({ limits: { files: files.length } })) {
      const { fieldname: name } = part
      if (part.type === 'file') {
        const file = await part.toBuffer()
        if (!files.includes(name)) throw new Failure('request.invalid', { fields: [name.slice(0, 200)] })
        if (file.byteLength > 0) form.set(name, file)
      } else {
        if (part.valueTruncated || part.fieldnameTruncated) throw new Failure('request.too_large')
        const before = form.get(name)
        if (part.value !== '' || !files.includes(name))
          form.set(name, before === undefined ? part.value : [before, part.value].flat())
      }
    }
  } catch (error) {
    throw formFailure(error, files)
  }
  return Object.fromEntries(form)
}

const isImage = (file: string): boolean => file === 'photo' || (siteImages as readonly string[]).includes(file)

function formFailure(error: unknown, files: readonly string[]): unknown {
  if (error instanceof Failure) return error
  const code = String((error as { code?: unknown }).code)
  if (code === 'FST_REQ_FILE_TOO_LARGE') return files.some(isImage) ? imageTooLarge() : new Failure('request.too_large')
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return new Failure('request.too_large')
  // the parser has no codes for other errors
  return new Failure('request.invalid', { fields: [] })
}
