import { describe, expect, test } from 'vitest'
import { commands } from './barcode.ts'
import { cardActions, type CardAction } from './card.ts'
import {
  type CardFacts,
  cardState,
  cardStates,
  commandEffect,
  finishOf,
  saidToBeMissing,
  standing,
} from './cardCommand.ts'

/** The eight commands that are no damage, as they are printed. */
const columns = ['confirm', 'undo', 'missing', 'print', 'next', 'measure', 'gate', 'damaged'] as const
const expected = `
  question   answer        go_back  not_now  not_now  put_off  not_now  not_now  not_now  not_now
  choices    choose_first  go_back  not_now  not_now  put_off  not_now  not_now  not_now  not_now
  empty      nothing       undo     not_now  not_now  close    not_now  not_now  not_now  not_now
  measuring  no_reading    undo     miss     label    close    measure  not_now  damage   report
  measured   record        undo     miss     label    close    measure  not_now  damage   report
  choosing   choose_first  undo     miss     label    close    measure  not_now  damage   report
  waiting    main          undo     miss     label    close    measure  not_now  damage   report
  missing    finish        undo     not_now  label    close    not_now  not_now  not_now  not_now
  damaged    finish        undo     miss     label    close    measure  not_now  damage   report
  settled    finish        undo     miss     label    close    measure  not_now  damage   report`

describe('every command in every state of the card', () => {
  const rows = expected
    .trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  test('is in the table', () => {
    expect(rows.map(([state]) => state)).toEqual([...cardStates])
    expect(commands.slice(0, columns.length)).toEqual([...columns])
  })
  test.each(rows)('%s', (state, ...effects) => {
    const cardState = cardStates.find(candidate => candidate === state) ?? 'empty'
    const damage = effects.at(-1)
    expect(commands.map(command => commandEffect(command, cardState, cardActions))).toEqual([
      ...effects.slice(0, columns.length),
      ...commands.slice(columns.length).map(() => damage),
    ])
  })
  test('does nothing that the wheel can not have done now', () => {
    const possible = new Set(cardStates.flatMap(state => commands.map(command => commandEffect(command, state, []))))
    for (const action of ['miss', 'label', 'measure', 'damage', 'report'] as const)
      expect(possible).not.toContain(action)
  })
})

describe('the state of a card', () => {
  const wheel = (...actions: CardAction[]) => ({ actions })
  const plain: CardFacts = {
    question: null,
    wheel: wheel('store', 'miss'),
    readings: null,
    panel: false,
    declared: null,
  }
  test.each<[string, Partial<CardFacts>, string]>([
    ['a wheel that waits for its scan', {}, 'waiting'],
    ['one that is searched for', { wheel: wheel('find', 'place') }, 'waiting'],
    ['one that waits for nothing', { wheel: wheel('pick', 'miss') }, 'settled'],
    ['one that was said to be missing here, whatever its card still offers', { declared: 'missing' }, 'missing'],
    ['the same once the server says so', { declared: 'missing', wheel: wheel('find', 'store') }, 'missing'],
    ['one that was said to be damaged here', { declared: 'damaged' }, 'damaged'],
    ['one that was scanned here, before the server says so', { declared: 'scanned' }, 'settled'],
    ['no wheel', { wheel: null }, 'empty'],
    ['no wheel, and a declared one before', { wheel: null, declared: 'missing' }, 'empty'],
    ['a depth without readings', { readings: 0 }, 'measuring'],
    ['a depth with readings of a damaged wheel', { readings: 2, declared: 'damaged' }, 'measured'],
    ['a panel', { panel: true }, 'choosing'],
    ['a question', { question: { answerable: true }, readings: 1, declared: 'missing' }, 'question'],
    ['a question that needs a touch', { question: { answerable: false } }, 'choices'],
  ])('%s', (_, facts, state) => {
    expect(cardState({ ...plain, ...facts })).toBe(state)
  })
})

describe('how an operation stands', () => {
  const wheelOf = (scanned: boolean, done: number, missing: number[] = []) => ({
    db_id: 7,
    operation: { status: 'submitted', scanned, tyre_count: 4, done, missing } as const,
  })
  test.each([
    ['as the server says', wheelOf(false, 2, [7]), null, 2, 1],
    ['a wheel that was said to be missing', wheelOf(false, 3), 'missing', 3, 1],
    ['the same once the server knows', wheelOf(false, 3, [7]), 'missing', 3, 1],
    ['one that was scanned before it was missing', wheelOf(true, 4), 'missing', 3, 1],
    ['one that was scanned here', wheelOf(false, 3), 'scanned', 4, 0],
    ['one that was missing, and scanned here', wheelOf(false, 3, [7]), 'scanned', 4, 0],
    ['one that is damaged', wheelOf(false, 3), 'damaged', 3, 0],
  ] as const)('%s', (_, wheel, declared, done, missing) => {
    expect(standing(wheel, declared)).toEqual({ status: 'submitted', tyre_count: 4, done, missing })
  })
})

describe('the question before a confirmation begins with a tyre as missing', () => {
  test.each([
    ['nothing was said of', null, false, false],
    ['the server knows to be missing', null, true, true],
    ['this card has said to be missing', 'missing', false, true],
    ['this card has said to be missing, as the server knows', 'missing', true, true],
    ['this card has scanned', 'scanned', false, false],
    ['this card has scanned since it was missing', 'scanned', true, false],
    ['this card has said to be damaged, which says nothing of where it is', 'damaged', false, false],
    ['is missing, and was said to be damaged', 'damaged', true, true],
  ] as const)('that %s', (_, declaration, isMissing, begins) => {
    const declared = new Map(declaration === null ? [] : [[7, declaration] as const])
    const missing = isMissing ? [7] : []
    expect(saidToBeMissing([7, 8], { missing, declared })).toEqual(begins ? [7] : [])
  })
})

describe('Confirm goes on with the operation', () => {
  const submitted = (done: number, missing: number, tyre_count = 4) =>
    ({ status: 'submitted', tyre_count, done, missing }) as const
  const desk = { declared: false, mayMiss: true }
  test.each([
    ['all are scanned', submitted(4, 0), desk, 'confirm'],
    ['one is missing, the others are scanned', submitted(3, 1), desk, 'ask'],
    ['one is missing, and the warehouse may not say so', submitted(3, 1), { declared: true, mayMiss: false }, 'desk'],
    ['one is missing and two are to be scanned', submitted(1, 1), desk, 'scan'],
    ['this card has said that one is missing', submitted(1, 1), { declared: true, mayMiss: true }, 'ask'],
    [
      'this card has said that one is damaged, in the warehouse',
      submitted(3, 0),
      { declared: true, mayMiss: false },
      'ask',
    ],
    ['some are to be scanned', submitted(3, 0), desk, 'scan'],
    ['none is here', submitted(0, 4), desk, 'ask'],
    ['no operation has it', null, { declared: true, mayMiss: true }, 'nothing'],
  ] as const)('%s', (_, operation, how, finish) => {
    expect(finishOf(operation, how)).toBe(finish)
  })
  test('only of a submitted one', () => {
    for (const status of ['pending', 'confirmed', 'cancelled'] as const)
      expect(finishOf({ ...submitted(4, 0), status }, desk)).toBe('nothing')
  })
})
