/** The values of a service while they are typed. */
import type { AdminConfig } from '#contract/config.ts'
import { type Numeral, priceIn } from './numerals.ts'

type Service = AdminConfig['services'][number]
export type ServiceValues = Omit<Service, '_id' | 'article_number' | 'operation_type' | 'price_excl'> & {
  article_number: string
  operation_type: Service['operation_type'] | null
  price_excl: Numeral
}

export const newService = (): ServiceValues => ({
  icon: null,
  name: '',
  operation_type: null,
  article_number: '',
  article_insertion_method: 'per_tyre',
  preselected: false,
  blocked: false,
  description_nl: '',
  description_fr: '',
  description_en: '',
  description_de: '',
  price_excl: 0,
})

export const serviceValues = ({ _id, article_number, ...service }: Service): ServiceValues => ({
  ...service,
  article_number: article_number ?? '',
})

export const serviceInput = (service: ServiceValues) => ({
  ...service,
  operation_type: service.operation_type as Service['operation_type'],
  article_number: service.article_number.trim() || null,
  price_excl: priceIn(service.price_excl),
})
