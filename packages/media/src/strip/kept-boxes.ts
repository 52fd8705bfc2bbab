/** Boxes that readers skip. What is in them is overwritten. A header of zeros ends a list in QuickTime. */
export const PADDING: ReadonlySet<string> = new Set(['free', 'skip', 'wide', '\0\0\0\0']);

const SAMPLE_GROUPS = 'sdtp sbgp sgpd subs saiz saio senc';

/**
 * The boxes that are kept in a box: those without which a movie or a picture cannot be shown as before. Kept boxes that
 * have no list of their own are kept as they are.
 */
export const KEPT_IN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['moov', types('mvhd iods trak mvex pssh clip ctab prfl')],
  ['trak', types('tkhd tref trgr edts mdia clip matt load imap tapt')],
  ['edts', types('elst')],
  ['mdia', types('mdhd hdlr elng minf')],
  ['minf', types('vmhd smhd hmhd nmhd sthd gmhd hdlr dinf stbl')],
  [
    'stbl',
    types(`stsd stts ctts cslg stsc stsz stz2 stco co64 stss stps stsh padb stdp ${SAMPLE_GROUPS}`),
  ],
  ['mvex', types('mehd trex leva trep')],
  ['moof', types('mfhd traf pssh')],
  ['traf', types(`tfhd tfdt trun ${SAMPLE_GROUPS}`)],
  ['mfra', types('tfra mfro')],
  ['meta', types('hdlr pitm iloc iinf iref iprp idat dinf grpl ipro')],
  ['iprp', types('ipco ipma')],
]);

/** The boxes that are kept in a file that is a movie. */
export const KEPT_IN_MOVIE = types('ftyp styp moov mdat pdin moof mfra sidx ssix');

/** The boxes that are kept in a file that is a picture, besides its metadata. An animation is like a movie. */
export const KEPT_IN_PICTURE = types('ftyp mdat idat moov moof mfra sidx');

function types(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
