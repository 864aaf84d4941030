import { describe, expect, it } from 'vitest'
import { withChanges } from '../ui/form/changes.ts'
import { configurationTemplates } from '#domain/vehicles/axle.ts'
import {
  editsOf,
  emptyForm,
  errorsOf,
  filledIn,
  kindNamed,
  nothingRegistered,
  type VehicleForm,
  withType,
} from './form.ts'

const filled: VehicleForm = {
  ...emptyForm('1-abc-234'),
  brand: 'Volvo',
  description: 'V60',
  type: 'car',
  configuration: 'Car, 4 wheels',
}
const errors = (change: Partial<VehicleForm>) => errorsOf({ ...filled, ...change })

const withMail = (email: string) => errors({ driver: { ...filled.driver, email } })

describe('the add-vehicle form', () => {
  it('is prefilled with the plate as it is kept', () => expect(filled.license_plate).toBe('1ABC234'))
  it('can be sent with brand, description, type and configuration', () => expect(errorsOf(filled)).toEqual({}))

  it('asks for each of them when nothing is filled in', () => {
    expect(errorsOf(emptyForm())).toEqual({
      license_plate: { why: 'required' },
      brand: { why: 'required' },
      description: { why: 'required' },
      type: { why: 'required' },
      configuration: { why: 'required' },
    })
  })

  it('spaces are not a brand, dashes are not a plate', () => {
    expect(errors({ brand: '   ', license_plate: ' - - ' })).toEqual({
      brand: { why: 'required' },
      license_plate: { why: 'required' },
    })
  })

  it.each([
    ['brand', 30],
    ['description', 50],
    ['chassis_number', 17],
  ] as const)('%s has at most %i characters', (field, max) => {
    expect(errors({ [field]: 'x'.repeat(max) })).toEqual({})
    expect(errors({ [field]: 'x'.repeat(max + 1) })).toEqual({ [field]: { why: 'tooLong', limit: max } })
  })

  it.each([
    ['name', 42],
    ['mobile_no', 25],
    ['telephone_no', 25],
  ] as const)('the driver’s %s has at most %i characters', (field, max) => {
    const driver = { ...filled.driver, [field]: 'x'.repeat(max + 1) }
    expect(errors({ driver })).toEqual({ [`driver.${field}`]: { why: 'tooLong', limit: max } })
  })

  it('the driver’s e-mail is left empty, or is an address of at most 100 characters', () => {
    expect(withMail('an@example.org')).toEqual({})
    expect(withMail('an at example')).toEqual({ 'driver.email': { why: 'email' } })
    expect(withMail(`${'a'.repeat(60)}@${'b'.repeat(60)}.org`)).toEqual({
      'driver.email': { why: 'tooLong', limit: 100 },
    })
  })

  it('a type that is one of the nine kinds is translated, a word of the site’s own is not', () => {
    expect([' Car', 'motorcycle', 'Bestelwagen', 'Hovercraft'].map(kindNamed)).toEqual([
      'car',
      'motorcycle',
      null,
      null,
    ])
  })
})

const changed = (change: Partial<VehicleForm>) => editsOf(filled, { ...filled, ...change })

describe('what is changed of a vehicle', () => {
  it('is nothing while the form is as it was saved', () => expect(changed({})).toBeNull())
  it('is the fields that differ, and no others', () =>
    expect(changed({ brand: 'DAF', driver: { ...filled.driver, name: 'Jo' } })).toEqual({
      brand: 'DAF',
      driver: { name: 'Jo' },
    }))
  it('is not a plate that is only written otherwise', () => expect(changed({ license_plate: '1-abc-234' })).toBeNull())
  it('is never the configuration', () => expect(changed({ configuration: 'Truck 4x2' })).toBeNull())
  it('shows over what somebody else has saved meanwhile', () =>
    expect(withChanges({ ...filled, description: 'V90' }, changed({ brand: 'DAF' }))).toMatchObject({
      brand: 'DAF',
      description: 'V90',
    }))
})

describe('what a register says of a plate', () => {
  const registered = { brand: 'APTS', description: 'PHILEAS', type: 'bus' }
  it('fills what is empty', () =>
    expect(filledIn(nothingRegistered, nothingRegistered, registered)).toEqual(registered))
  it('never replaces what somebody typed', () =>
    expect(filledIn({ ...nothingRegistered, brand: 'DAF' }, nothingRegistered, registered)).not.toHaveProperty('brand'))
  it('replaces what it said of another plate, and goes with that', () => {
    const other = { brand: 'FORD', description: 'TRANSIT', type: 'van' }
    expect(filledIn(registered, registered, other)).toEqual(other)
    expect(filledIn(registered, registered, nothingRegistered)).toEqual(nothingRegistered)
  })
  it('leaves what was changed since', () =>
    expect(filledIn({ ...registered, description: 'Phileas 18' }, registered, nothingRegistered)).toEqual({
      brand: '',
      type: '',
    }))
})

describe('another type of vehicle', () => {
  const configs = configurationTemplates.map(({ name, axles }) => ({ description: `Our ${name}`, axles }))
  const after = (type: string, configuration: string, next: string) => withType({ type, configuration }, next, configs)
  it('brings the configuration that nearly all of them have', () => {
    expect(after('', '', 'car')).toEqual({ type: 'car', configuration: 'Our Car, 4 wheels' })
    expect(after('', '', 'Auto')).toEqual({ type: 'Auto', configuration: 'Our Car, 4 wheels' })
    expect(after('car', 'Our Car, 4 wheels', 'motorcycle').configuration).toBe('Our Motorcycle, 2 wheels')
  })
  it('brings none where they differ, or where the site has none with its wheels', () => {
    expect(after('car', 'Our Car, 4 wheels', 'truck')).toEqual({ type: 'truck', configuration: '' })
    expect(after('', '', 'rocket').configuration).toBe('')
    expect(withType({ type: '', configuration: '' }, 'car', [])).toEqual({ type: 'car', configuration: '' })
  })
  it('leaves one that somebody has chosen', () => expect(after('', 'Our Truck 4x2', 'car')).toEqual({ type: 'car' }))
})
