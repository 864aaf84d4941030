/** The parts of a vehicle's screen, as they stand in its address. */
export const vehicleTabs = ['tyres', 'data', 'history'] as const
export type VehicleTab = (typeof vehicleTabs)[number]
