import { catalogProperties } from '../shared/form/catalogProperties';
import { subtitleOf } from '../shared/form/subtitle';
import { MUSIC_CATALOG } from '../shared/spec/catalogs';

export { OUTPUTS } from '../shared/form/outputs';
export { WAITING_TOOLTIP } from '../shared/form/waitingTooltip';

export const SUBTITLE = subtitleOf(MUSIC_CATALOG);

export const properties = () => catalogProperties(MUSIC_CATALOG);
