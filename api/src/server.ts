import { settleYoungGeneration } from "./young-generation.ts";

// Not imported above: all of that is loaded before the first line runs, and loading is what takes the memory.
const { serve } = await import("./serve.ts");
await serve();
settleYoungGeneration();
