import { chromium } from "playwright-core";
const b = await chromium.launch({executablePath:"/usr/bin/chromium-headless-shell",args:["--headless","--no-sandbox","--disable-gpu"]});
const block = process.argv[2];
for (let i=0;i<4;i++){ const c=await b.newContext({baseURL:"http://localhost:8872",viewport:{width:Number(process.argv[3]??1440),height:900}}); const p=await c.newPage();
 if(block) await p.route(new RegExp(block),r=>r.abort());
 await p.addInitScript(()=>{ (window as any).sh=[]; new PerformanceObserver(l=>{for(const e of l.getEntries() as any) (window as any).sh.push({v:e.value,t:Math.round(e.startTime),s:e.sources.map((s:any)=>[(s.node?.outerHTML??s.node?.parentElement?.outerHTML??s.node?.data??String(s.node))?.slice(0,90),JSON.stringify(s.previousRect),JSON.stringify(s.currentRect)])});}).observe({type:"layout-shift",buffered:true}); (window as any).lcp=[]; new PerformanceObserver(l=>{for(const e of l.getEntries() as any)(window as any).lcp.push([Math.round(e.startTime),e.element?.tagName,e.size])}).observe({type:"largest-contentful-paint",buffered:true}); (window as any).lt=[]; new PerformanceObserver(l=>{for(const e of l.getEntries())(window as any).lt.push([Math.round(e.startTime),Math.round(e.duration)])}).observe({type:"longtask",buffered:true}); });
 const s=await c.newCDPSession(p); await s.send("Network.enable"); 
 if(process.argv[4]!=='fast'){ await s.send("Network.emulateNetworkConditions",{latency:562.5,downloadThroughput:180000,uploadThroughput:84375,offline:false}); await s.send("Emulation.setCPUThrottlingRate",{rate:4});}
 await p.goto("/"); await p.locator("html[data-ready]").waitFor({state:"attached"}); await p.waitForTimeout(1500);
 const r=await p.evaluate(()=>{const n=performance.getEntriesByType("navigation")[0] as any; return {rs:n.responseStart,re:n.responseEnd,di:n.domInteractive,fp:performance.getEntriesByName("first-paint")[0]?.startTime,fcp:performance.getEntriesByName("first-contentful-paint")[0]?.startTime,font:performance.getEntriesByType("resource").filter(r=>/woff/.test(r.name)).map((r:any)=>[Math.round(r.startTime),Math.round(r.responseEnd)]),sh:(window as any).sh,lcp:(window as any).lcp,lt:(window as any).lt}});
 console.log(JSON.stringify({...r,sh:undefined})); if(i<2||r.sh.some((x:any)=>x.v>0.005)) console.log(JSON.stringify(r.sh,null,1).slice(0,2500)); await c.close(); }
await b.close();
