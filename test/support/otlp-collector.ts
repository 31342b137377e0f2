import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

/** The parts of OTLP's JSON metrics that tests read. */
export interface Exported {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string;
        readonly unit: string;
        readonly gauge: {
          readonly dataPoints: readonly { readonly asDouble: number; readonly attributes: readonly Attribute[] }[];
        };
      }[];
    }[];
  }[];
}

/** A collector of OTLP over HTTP. `status`: the status of its answers. */
export interface Collector {
  readonly baseUrl: string;
  readonly exported: { readonly path: string; readonly authorization: string | undefined; readonly body: Exported }[];
  status: number;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request;
    const take = async () => {
      const body = (await json(request)) as Exported;
      collector.exported.push({ path, authorization: headers.authorization, body });
      response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
    };
    void take();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exported: [],
    status: 200,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return collector;
}
