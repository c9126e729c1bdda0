import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector sees it. */
export interface SeenSpan {
	readonly name: string;
	readonly traceId: string;
	readonly spanId: string;
	readonly parentSpanId: string | undefined;
	/** Role of the process that sent it. */
	readonly role: string;
	readonly attributes: Readonly<Record<string, string | number | boolean>>;
}

/** Takes traces in as a collector would: OTLP in JSON over HTTP, on loopback. */
export interface Collector {
	readonly url: string;
	spans(): readonly SeenSpan[];
	/** Every request as it came, for looking for what must not be in there. */
	bodies(): string;
	/** Authorization headers that came. */
	keys(): ReadonlySet<string>;
	close(): Promise<void>;
}

interface OtlpValue {
	stringValue?: string;
	intValue?: number | string;
	doubleValue?: number;
	boolValue?: boolean;
}
type OtlpAttributes = readonly { key: string; value: OtlpValue }[];
interface OtlpBody {
	resourceSpans: readonly {
		resource: { attributes: OtlpAttributes };
		scopeSpans: readonly {
			spans: readonly {
				name: string;
				traceId: string;
				spanId: string;
				parentSpanId?: string;
				attributes: OtlpAttributes;
			}[];
		}[];
	}[];
}

const plain = (attributes: OtlpAttributes) =>
	Object.fromEntries(
		attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
			key,
			stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue ?? '',
		]),
	);

export async function startCollector(): Promise<Collector> {
	const spans: SeenSpan[] = [];
	const keys = new Set<string>();
	let bodies = '';
	const server = createServer((request, response) => {
		let body = '';
		request.setEncoding('utf8');
		request.on('data', (chunk: string) => {
			body += chunk;
		});
		request.on('end', () => {
			keys.add(request.headers.authorization ?? '');
			bodies += body;
			for (const { resource, scopeSpans } of (JSON.parse(body) as OtlpBody).resourceSpans) {
				const role = String(plain(resource.attributes)['majordomo.role']);
				for (const span of scopeSpans.flatMap((scope) => scope.spans))
					spans.push({
						...span,
						parentSpanId: span.parentSpanId || undefined,
						role,
						attributes: plain(span.attributes),
					});
			}
			response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans: () => spans,
		bodies: () => bodies,
		keys: () => keys,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
