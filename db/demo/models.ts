/** The vehicles that the demo's customers drive: real models, with the configuration and the tyre sizes that they wear. */
import { configurationTemplates, type Axle, type TemplateName } from '#domain/vehicles/axle.ts'
import type { VehicleKind } from '#domain/vehicles/vehicle.ts'
import type { Chance } from './chance.ts'
import type { Use } from './catalogue.ts'

export type Model = {
  readonly kind: VehicleKind
  readonly brand: string
  readonly description: string
  readonly template: TemplateName
  /** The tyres of each axle, from the front. */
  readonly axles: readonly { readonly use: Use; readonly size: string }[]
  /** How far it goes in a year, in thousands of km. */
  readonly yearly: readonly [from: number, to: number]
}

/** The kinds of vehicles that a customer chooses from, with the two families of trailers told apart. */
export type Family = Exclude<VehicleKind, 'trailer'> | 'semitrailer' | 'trailer'

/** `sizes` is one size, or that of the steered axles and that of the driven ones. */
type Line = readonly [brand: string, description: string, sizes: string, template?: TemplateName]

const lines: Readonly<Record<Family, readonly Line[]>> = {
  car: [
    ['Volkswagen', 'Golf 8 1.5 eTSI', '205/55R16'],
    ['Volkswagen', 'ID.3 Pro', '215/55R18'],
    ['Volkswagen', 'Polo 1.0 TSI', '185/65R15'],
    ['Škoda', 'Octavia Combi 2.0 TDI', '205/55R17'],
    ['Škoda', 'Superb Combi 1.5 TSI iV', '215/55R17'],
    ['Škoda', 'Fabia 1.0 TSI', '195/55R16'],
    ['BMW', '320e Touring', '225/50R17'],
    ['BMW', '118i', '225/45R17'],
    ['BMW', 'i4 eDrive40', '235/45R18'],
    ['Audi', 'A4 Avant 35 TDI', '225/50R17'],
    ['Audi', 'A3 Sportback 30 TFSI', '205/55R16'],
    ['Mercedes-Benz', 'C 200 d Break', '225/50R17'],
    ['Mercedes-Benz', 'A 180', '205/55R17'],
    ['Peugeot', '208 PureTech 100', '195/55R16'],
    ['Peugeot', '308 SW Hybrid', '225/45R17'],
    ['Renault', 'Clio TCe 90', '185/65R15'],
    ['Renault', 'Megane E-Tech', '195/65R15'],
    ['Citroën', 'C3 PureTech 83', '195/65R15'],
    ['Toyota', 'Yaris Hybrid', '185/65R15'],
    ['Toyota', 'Corolla Touring Sports', '205/55R16'],
    ['Ford', 'Focus Clipper 1.0 EcoBoost', '205/60R16'],
    ['Opel', 'Corsa-e', '195/55R16'],
    ['Volvo', 'V60 T6 Recharge', '235/45R18'],
    ['Tesla', 'Model 3 Long Range', '235/45R18'],
    ['Hyundai', 'i20 1.2', '185/65R15'],
    ['Kia', 'Ceed SW 1.6 PHEV', '225/45R17'],
    ['Dacia', 'Sandero TCe 90', '185/65R15'],
    ['Fiat', '500e', '195/55R16'],
    ['Mini', 'Cooper SE', '195/55R16'],
    ['Volkswagen', 'up! 1.0', '165/65R14'],
    ['Hyundai', 'i10 1.0', '175/65R15'],
    ['Kia', 'Picanto 1.0', '165/65R14'],
  ],
  suv: [
    ['Volvo', 'XC40 Recharge', '235/50R19'],
    ['Volvo', 'XC60 T6 Recharge', '235/60R18'],
    ['BMW', 'X1 xDrive25e', '225/55R18'],
    ['BMW', 'X3 xDrive30e', '225/55R18'],
    ['Volkswagen', 'Tiguan eHybrid', '235/55R18'],
    ['Peugeot', '3008 Hybrid', '225/55R18'],
    ['Peugeot', '2008 PureTech 130', '215/60R17'],
    ['Dacia', 'Duster TCe 130', '215/65R16'],
    ['Hyundai', 'Tucson 1.6 T-GDi PHEV', '235/55R18'],
    ['Audi', 'Q5 50 TFSI e', '235/60R18'],
    ['Mercedes-Benz', 'GLC 300 e', '235/60R18'],
    ['Toyota', 'RAV4 Plug-in', '235/55R18'],
    ['Tesla', 'Model Y Long Range', '255/50R19'],
    ['Škoda', 'Enyaq 80', '235/55R18'],
  ],
  van: [
    ['Volkswagen', 'Transporter 2.0 TDI', '215/65R16C'],
    ['Volkswagen', 'ID. Buzz Cargo', '235/60R18'],
    ['Volkswagen', 'Caddy Cargo 2.0 TDI', '205/60R16'],
    ['Ford', 'Transit Custom 2.0 EcoBlue', '215/65R16C'],
    ['Ford', 'Transit 350 L3H2', '235/65R16C'],
    ['Ford', 'Transit Chassis 470', '195/75R16C', 'Van, dual rear wheels'],
    ['Mercedes-Benz', 'Vito 114 CDI', '205/65R16C'],
    ['Mercedes-Benz', 'Sprinter 317 CDI', '235/65R16C'],
    ['Mercedes-Benz', 'Sprinter 517 CDI chassis', '195/75R16C', 'Van, dual rear wheels'],
    ['Renault', 'Master 2.3 dCi L2H2', '225/65R16C'],
    ['Renault', 'Kangoo Van E-Tech', '195/70R15C'],
    ['Peugeot', 'Expert 2.0 BlueHDi', '215/60R17C'],
    ['Citroën', 'Berlingo Van 1.5 BlueHDi', '195/70R15C'],
    ['Opel', 'Vivaro-e', '215/60R17C'],
    ['Iveco', 'Daily 35S16', '225/65R16C'],
    ['Iveco', 'Daily 50C18', '195/75R16C', 'Van, dual rear wheels'],
  ],
  truck: [
    ['DAF', 'LF 230 FA', '245/70R17.5', 'Truck 4x2'],
    ['DAF', 'XD 370 FAN', '315/80R22.5', 'Truck 6x2, lift axle'],
    ['MAN', 'TGL 12.250', '285/70R19.5', 'Truck 4x2'],
    ['MAN', 'TGM 18.290', '315/80R22.5', 'Truck 4x2'],
    ['Volvo', 'FL 280', '285/70R19.5', 'Truck 4x2'],
    ['Volvo', 'FE Electric', '315/80R22.5', 'Truck 6x2, lift axle'],
    ['Scania', 'P 320', '295/80R22.5', 'Truck 4x2'],
    ['Scania', 'G 410 XT', '315/80R22.5', 'Truck 8x4'],
    ['Mercedes-Benz', 'Arocs 3340', '315/80R22.5', 'Truck 6x4'],
    ['Mercedes-Benz', 'Atego 1224', '245/70R17.5', 'Truck 4x2'],
    ['Iveco', 'Eurocargo 120E', '285/70R19.5', 'Truck 4x2'],
  ],
  tractor: [
    ['DAF', 'XG 480 FT', '315/70R22.5', 'Tractor 4x2'],
    ['DAF', 'XF 450 FT', '315/70R22.5', 'Tractor 4x2'],
    ['Scania', 'R 450', '385/55R22.5|315/70R22.5', 'Tractor 4x2'],
    ['Scania', '500 S', '315/70R22.5', 'Tractor 4x2'],
    ['Volvo', 'FH 460', '315/70R22.5', 'Tractor 4x2'],
    ['Volvo', 'FH 500 I-Save', '385/55R22.5|315/70R22.5', 'Tractor 4x2'],
    ['MAN', 'TGX 18.470', '315/70R22.5', 'Tractor 4x2'],
    ['Mercedes-Benz', 'Actros 1845', '315/70R22.5', 'Tractor 4x2'],
    ['Renault', 'T 480', '315/70R22.5', 'Tractor 4x2'],
    ['MAN', 'TGX 26.510 6x2', '315/70R22.5', 'Tractor 6x2, lift axle'],
  ],
  semitrailer: [
    ['Krone', 'Profi Liner', '385/65R22.5', 'Semitrailer, 3 axles'],
    ['Schmitz Cargobull', 'S.CS Universal', '385/65R22.5', 'Semitrailer, 3 axles, lift axle'],
    ['Schmitz Cargobull', 'S.KO Cool', '385/65R22.5', 'Semitrailer, 3 axles, lift axle'],
    ['Kögel', 'Cargo', '385/65R22.5', 'Semitrailer, 3 axles'],
    ['Van Hool', 'Containerchassis', '385/55R22.5', 'Semitrailer, 3 axles, lift axle'],
    ['Floor', 'City FLO-12', '435/50R19.5', 'Semitrailer, 2 axles'],
    ['Faymonville', 'MegaMAX', '435/50R19.5', 'Semitrailer, 3 axles'],
  ],
  trailer: [
    ['Humbaur', 'HA 132513', '165/70R13C', 'Trailer, 1 axle'],
    ['Saris', 'Maxx 270', '195/50R13C', 'Trailer, 2 axles'],
    ['Ifor Williams', 'TT3017 kipper', '195/50R13C', 'Trailer, 2 axles'],
    ['Schwarzmüller', 'Drawbar 18 t', '265/70R19.5', 'Drawbar trailer, 2 axles, dual wheels'],
  ],
  caravan: [
    ['Hobby', 'De Luxe 495 UL', '185R14C', 'Caravan, 1 axle'],
    ['Knaus', 'Südwind 500 FU', '185R14C', 'Caravan, 1 axle'],
  ],
  bus: [
    ['Mercedes-Benz', 'Citaro K', '275/70R22.5', 'Bus, 2 axles, dual rear wheels'],
    ['VDL', 'Futura FHD2 135', '295/80R22.5', 'Bus, 3 axles'],
    ['Van Hool', 'EX15', '295/80R22.5', 'Bus, 2 axles, dual rear wheels'],
  ],
  motorcycle: [
    ['BMW', 'R 1250 GS', '120/70R19|170/60R17', 'Motorcycle, 2 wheels'],
    ['Yamaha', 'Tracer 9', '120/70R17|180/55R17', 'Motorcycle, 2 wheels'],
    ['Honda', 'NT1100', '120/70R17|180/55R17', 'Motorcycle, 2 wheels'],
  ],
}

const usualTemplate: Partial<Record<Family, TemplateName>> = {
  car: 'Car, 4 wheels',
  suv: 'Car, 4 wheels',
  van: 'Van, 4 wheels',
}

const yearly: Readonly<Record<Family, readonly [number, number]>> = {
  car: [11, 34],
  suv: [13, 32],
  van: [16, 42],
  truck: [28, 70],
  tractor: [80, 135],
  semitrailer: [60, 110],
  trailer: [3, 12],
  caravan: [2, 6],
  bus: [30, 65],
  motorcycle: [4, 11],
}

/** The use of tyres on an axle of a family: heavy vehicles have treads of their own for each axle. */
function useOf(family: Family, size: string, axle: Axle): Use {
  if (family === 'car' || family === 'suv') return 'car'
  if (family === 'van') return size.endsWith('C') ? 'van' : 'car'
  if (family === 'truck' || family === 'tractor') return axle.drive ? 'drive' : 'steer'
  if (family === 'bus' || family === 'motorcycle') return family
  return size.endsWith('C') ? 'towed' : 'trailer'
}

function modelOf(family: Family, [brand, description, sizes, named]: Line): Model {
  const template = named ?? usualTemplate[family]
  const axles: readonly Axle[] = configurationTemplates.find(({ name }) => name === template)?.axles ?? []
  if (!template || axles.length === 0) throw new Error(`${brand} ${description} has no configuration`)
  const [front = '', driven = front] = sizes.split('|')
  return {
    kind: family === 'semitrailer' ? 'trailer' : family,
    brand,
    description,
    template,
    axles: axles
      .filter(axle => axle.type === 'axle')
      .map(axle => {
        const size = axle.drive ? driven : front
        return { use: useOf(family, size, axle), size }
      }),
    yearly: yearly[family],
  }
}

/** A model of a family; small cars only, where a customer has nothing else. */
export function pickModel(family: Family, draw: Chance, { small = false } = {}): Model {
  const fitting = small
    ? lines[family].filter(([, , sizes]) => sizes.endsWith('R14') || sizes.endsWith('R15'))
    : lines[family]
  return modelOf(family, draw.pick(fitting))
}

/** The model of that description, for the vehicles that every demo has. */
export function modelNamed(family: Family, description: string): Model {
  const line = lines[family].find(([, name]) => name === description)
  if (!line) throw new Error(`no ${family} is called ${description}`)
  return modelOf(family, line)
}
