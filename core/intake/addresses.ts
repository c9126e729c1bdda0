import { z } from 'zod';

/** Our own address and role. */
export const ALIAS = 'U:Cx';
export const ROLE = 'Concierge (Intake)';

/** Who may write to us. */
export const inboundSource = z.enum(['HUMAN', 'gateway']);
export type InboundSource = z.infer<typeof inboundSource>;

/** Whom we may write to. Nobody else can be named: the type refuses, and the schema refuses at run time. */
export const OUTBOUND_ADDRESSES = ['HUMAN', 'U:BA', 'governance'] as const;
export const outboundAddress = z.enum(OUTBOUND_ADDRESSES);
export type OutboundAddress = z.infer<typeof outboundAddress>;

/** The one place a finished intake goes to. */
export const BUSINESS_ANALYST = 'U:BA' satisfies OutboundAddress;
