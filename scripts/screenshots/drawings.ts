/** A street at dusk, with lanterns. */
export const STREET = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 540" width="960" height="540">
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#26304f"/><stop offset=".6" stop-color="#8a5a6b"/><stop offset="1" stop-color="#e8a06a"/></linearGradient>
<radialGradient id="glow"><stop stop-color="#ffd98a" stop-opacity=".9"/><stop offset="1" stop-color="#ffd98a" stop-opacity="0"/></radialGradient>
</defs>
<rect width="960" height="540" fill="url(#sky)"/>
<path d="M0 360 130 300 250 350 400 280 560 350 720 290 960 360V540H0z" fill="#4d3f55"/>
<g fill="#2c2436"><path d="M30 250h150v290H30zM20 250l85-70 85 70zM200 290h130v250H200zM190 290l75-60 75 60zM640 270h140v270H640zM630 270l80-68 80 68zM800 235h150v305H800zM790 235l85-72 85 72z"/></g>
<g fill="#f3b463"><path d="M60 290h28v36H60zM120 290h28v36h-28zM60 370h28v36H60zM230 330h24v32h-24zM280 330h24v32h-24zM670 315h26v34h-26zM725 315h26v34h-26zM830 280h28v36h-28zM890 280h28v36h-28zM890 360h28v36h-28z"/></g>
<path d="M330 540 440 380h80l110 160z" fill="#3b3140"/>
<path d="M105 215Q290 330 480 300T875 200" fill="none" stroke="#191420" stroke-width="3"/>
<g><circle cx="200" cy="268" r="52" fill="url(#glow)"/><circle cx="330" cy="306" r="52" fill="url(#glow)"/><circle cx="480" cy="312" r="52" fill="url(#glow)"/><circle cx="620" cy="300" r="52" fill="url(#glow)"/><circle cx="755" cy="262" r="52" fill="url(#glow)"/></g>
<g fill="#ffe2a0" stroke="#a8572a" stroke-width="3"><rect x="190" y="256" width="20" height="28" rx="7"/><rect x="320" y="294" width="20" height="28" rx="7"/><rect x="470" y="300" width="20" height="28" rx="7"/><rect x="610" y="288" width="20" height="28" rx="7"/><rect x="745" y="250" width="20" height="28" rx="7"/></g>
</svg>`;

/** A loaf on a board. */
export const LOAF = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">
<defs>
<linearGradient id="wall" x2="0" y2="1"><stop stop-color="#f2e3cc"/><stop offset="1" stop-color="#d9bd95"/></linearGradient>
<radialGradient id="crust" cx=".45" cy=".3" r=".8"><stop stop-color="#e0a25a"/><stop offset=".6" stop-color="#a8602a"/><stop offset="1" stop-color="#6b3715"/></radialGradient>
</defs>
<rect width="800" height="600" fill="url(#wall)"/>
<rect y="400" width="800" height="200" fill="#7d5a3c"/><rect x="80" y="396" width="640" height="70" rx="20" fill="#c8935a"/><rect x="80" y="440" width="640" height="30" rx="15" fill="#a06f3d"/>
<ellipse cx="400" cy="330" rx="260" ry="130" fill="url(#crust)"/>
<g fill="none" stroke="#f6dcb0" stroke-width="14" stroke-linecap="round"><path d="M270 300q40-60 90-70"/><path d="M350 320q45-70 100-80"/><path d="M440 335q45-65 100-70"/></g>
<g fill="#fff6e4" opacity=".7"><circle cx="300" cy="390" r="4"/><circle cx="520" cy="400" r="5"/><circle cx="430" cy="398" r="3"/><circle cx="600" cy="420" r="4"/></g>
</svg>`;

/** A greenhouse at night, lit from inside. */
export const GREENHOUSE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">
<defs><linearGradient id="night" x2="0" y2="1"><stop stop-color="#0f1d2e"/><stop offset="1" stop-color="#2a4a4c"/></linearGradient><linearGradient id="glass" x2="0" y2="1"><stop stop-color="#d9f2c2"/><stop offset="1" stop-color="#7fb069"/></linearGradient></defs>
<rect width="800" height="600" fill="url(#night)"/>
<g fill="#fff" opacity=".8"><circle cx="90" cy="80" r="2"/><circle cx="220" cy="50" r="1.5"/><circle cx="650" cy="90" r="2"/><circle cx="720" cy="180" r="1.5"/><circle cx="500" cy="40" r="1.5"/></g>
<path d="M0 500h800v100H0z" fill="#16281d"/>
<path d="M160 500V290L400 150l240 140v210z" fill="url(#glass)" opacity=".92"/>
<g fill="none" stroke="#2f4a3a" stroke-width="7"><path d="M160 500V290L400 150l240 140v210zM160 290h480M280 220v280M400 150v350M520 220v280M160 395h480"/></g>
<g fill="#2f6b3a"><path d="M200 500q-10-80 30-110 40 40 20 110zM310 500q-20-100 30-140 50 50 25 140zM440 500q-10-70 25-95 35 35 20 95zM550 500q-15-90 25-120 40 45 20 120z"/></g>
</svg>`;

/** Figs in a bowl. */
export const FIGS = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 800" width="600" height="800">
<defs><radialGradient id="fig" cx=".35" cy=".3" r=".8"><stop stop-color="#8a5a86"/><stop offset="1" stop-color="#3a1f3f"/></radialGradient><linearGradient id="cloth" x2="1" y2="1"><stop stop-color="#e9e4da"/><stop offset="1" stop-color="#c9bfae"/></linearGradient></defs>
<rect width="600" height="800" fill="url(#cloth)"/>
<ellipse cx="300" cy="560" rx="230" ry="60" fill="#8f8578" opacity=".5"/>
<path d="M80 440h440q-10 150-160 150H240Q90 590 80 440z" fill="#3d6f7a"/><ellipse cx="300" cy="440" rx="220" ry="46" fill="#2c525b"/>
<g fill="url(#fig)"><path d="M200 430q-70-10-60-80 8-50 50-70l8-30 14 28q52 18 54 74 0 70-66 78zM330 440q-76-8-66-90 8-54 56-74l6-34 16 32q54 20 56 78-2 78-68 88zM430 430q-60-8-54-70 6-44 44-60l6-28 12 26q44 16 46 62-2 62-54 70z"/></g>
<g fill="#5c8a4a"><path d="M196 262q-40-60 10-100 30 50 4 100zM336 246q20-70 80-70-20 60-70 74z"/></g>
</svg>`;

/** The bridge, with ice on the river. */
export const BRIDGE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">
<defs><linearGradient id="dawn" x2="0" y2="1"><stop stop-color="#9fc3dd"/><stop offset=".7" stop-color="#f3d9c4"/></linearGradient><linearGradient id="river" x2="0" y2="1"><stop stop-color="#b9d4df"/><stop offset="1" stop-color="#5b8295"/></linearGradient></defs>
<rect width="800" height="600" fill="url(#dawn)"/><circle cx="610" cy="170" r="46" fill="#fff3d6"/>
<path d="M0 330q200-60 400-20t400-30v100H0z" fill="#8aa79a"/><rect y="370" width="800" height="230" fill="url(#river)"/>
<path d="M0 330h800v46H660q-20-70-110-70t-110 70h-80q-20-70-110-70t-110 70H0z" fill="#6d5a4e"/><path d="M0 318h800v14H0z" fill="#4f4038"/>
<g fill="#eaf4f7" opacity=".85"><path d="M60 450l90-14 40 22-80 20zM300 500l120-10 30 26-110 14zM560 440l100-8 20 20-90 12zM620 540l110-10 20 20-100 10z"/></g>
</svg>`;
