import { z } from 'zod';

/** Languages that the house speaks. */
export const houseLanguage = z.enum(['en', 'de']);
export type HouseLanguage = z.infer<typeof houseLanguage>;
