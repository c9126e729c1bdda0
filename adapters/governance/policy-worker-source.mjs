// Entry of the policy thread when the sources run uncompiled: Node 20 needs a loader for them in each thread.
import { tsImport } from 'tsx/esm/api';

await tsImport('./policy-worker.ts', import.meta.url);
