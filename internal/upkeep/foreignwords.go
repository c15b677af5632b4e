package upkeep

// The small words of statements, of each language lines of what it is in English, and its
// words for that: what says that something holds, has changed, is wanted or forbidden, and
// units. Days, months and numbers are those of package when.
const (
	german = `
is: ist sind findet finden liegt beträgt betragen soll sollen
has: hat haben bekommt bekommen
run: läuft laufen
goes: geht gehen kommt kommen
listen: lauscht hört horcht
start: beginnt startet beginnen starten
end: endet enden
~was: wurde wurden worden
was: war waren hatte hatten
now: jetzt nun inzwischen mittlerweile nunmehr
moved: verschoben verlegt geändert erhöht gesenkt umgestellt verlängert verkürzt vorgezogen gewechselt umgezogen
scheduled: geplant angesetzt fällig
on: am
at: um
to: auf zu zum
until: bis
from: ab von vom seit
every: jeden jede jedes
not: nicht
no: kein keine keinen keinem keiner
never: nie niemals
forget: vergiss vergesst vergessen
only: nur lediglich
without: ohne
nobody: niemand
avoid: vermeide vermeiden
use: nutze nutzen nutzt benutze benutzen benutzt verwende verwenden verwendet nimm nehmen
prefer: bevorzuge bevorzugen bevorzugt lieber
may: darf dürfen kann können könnte
least: mindestens minimal
most: höchstens maximal
over: über
under: unter
seconds: sekunde sekunden sek
minutes: minute minuten
hours: stunde stunden std
percent: prozent
lines: zeilen
requests: anfragen
oclock: uhr
~: raus was immer bitte also die man wir noch auch mehr will so
in: in im
for: für
as: als
because: weil
be: wird werden
instead: statt anstatt anstelle
and: und
but: aber sondern
`
	dutch = `
is: is zijn valt vallen plaats vindt staat moet
has: heeft hebben
gets: krijgt krijgen
run: draait draaien loopt
goes: gaat gaan komt
listen: luistert luisteren
start: begint beginnen start starten
end: eindigt eindigen
~was: werd werden
was: was waren had hadden
now: nu inmiddels voortaan
moved: verplaatst verschoven verzet gewijzigd veranderd verhoogd verlaagd uitgesteld verlengd vervroegd
scheduled: gepland verstuurd
on: op
at: om
to: naar
every: elke iedere elk ieder
until: tot
from: vanaf van sinds
not: niet
no: geen
never: nooit
forget: vergeet vergeten
only: alleen slechts enkel
without: zonder
avoid: vermijd vermijden
use: gebruik gebruiken gebruikt
prefer: verkies liever
may: mag mogen kan kunnen
port: poort
seconds: seconde seconden
minutes: minuut minuten
hours: uur uren
percent: procent
lines: regels
requests: verzoeken
~: uit of altijd meer we so
in: in
for: voor
as: als
because: omdat
be: wordt worden
least: minstens minimaal ten_minste
most: hoogstens maximaal
instead: in_plaats
and: en
but: maar
`
	french = `
is: est sont sera tombe tombent doit
has: a ont
run: tourne tournent passe passent
place: lieu
goes: part partent sort sortent
listen: écoute écoutent ecoute
start: commence commencent démarre démarrent débute
end: finit finissent termine
~was: été
was: était étaient
now: maintenant désormais dorénavant
moved: déplacé déplacée reporté reportée décalé décalée passé passée changé changée avancé avancée augmenté augmentée réduit réduite prolongé prolongée repoussé repoussée
scheduled: prévu prévue prévus prévues fixé fixée envoyés envoyées envoyée
at: à au
on: le
every: chaque tous
until: jusqu jusque
from: dès depuis
not: ne pas aucun aucune
never: jamais
forget: oublie oublies oubliez oublier
only: seulement uniquement
without: sans
avoid: évite évitez éviter évitons
use: utilise utilisez utilisons utiliser utilisent
prefer: préfère préfèrent préférer préférez préférons
may: peut peuvent pourrait
seconds: seconde secondes
minutes: minute
hours: heure heures
lines: lignes
requests: requêtes
~: on or but plus toujours son as
in: en dans
of: de du des
for: pour
as: comme
because: car
least: au_moins au_minimum
most: au_plus au_maximum
instead: au_lieu
and: et
but: mais
`
	spanish = `
is: es son está estan están será cae toca debe
has: ha han
gets: tiene tienen lugar
run: corre corren funciona
goes: sale salen va van
listen: escucha escuchan
start: empieza empiezan comienza comienzan
end: termina terminan acaba
~was: sido fue fueron
was: era eran estaba estuvo
now: ahora actualmente
moved: movido movida movió aplazado aplazada aplazó pospuesto pospuesta cambiado cambiada cambió pasó pasado subió subido bajó bajado adelantado adelantada retrasado retrasada trasladado trasladada
scheduled: previsto prevista programado programada envían envia envía
on: el los
at: a las al
every: cada todos
until: hasta
from: desde
not: no ningún ninguna
never: nunca jamás
forget: olvides olvide olvidar olvidéis
only: solo sólo solamente únicamente
without: sin
avoid: evita evite evitar
use: usa use uses usar usad usamos usan utiliza utilizar utilizamos
prefer: prefiere prefiero preferir preferimos
may: puede pueden podría
port: puerto
seconds: segundo segundos
minutes: minuto minutos
hours: hora horas
lines: líneas
requests: peticiones solicitudes
~: más siempre come as
in: en
of: de del
for: para
as: como
because: porque
least: al_menos como_mínimo
most: como_máximo al_máximo
instead: en_lugar en_vez
and: y
but: pero sino
`
	portuguese = `
is: é são está estão será cai acontece acontecem deve
gets: tem têm
run: roda rodam corre funciona
goes: sai saem vai vão
listen: escuta escutam ouve
start: começa começam inicia
end: termina terminam acaba
~was: foi foram
was: era eram estava
now: agora atualmente
moved: movido movida mudou mudado mudada adiado adiada passou alterado alterada aumentou aumentado reduzido adiantado adiantada transferido transferida subiu baixou
scheduled: previsto prevista marcado marcada agendado agendada enviadas enviados
on: na no dia
at: às ao
to: para
every: cada toda todas todo
until: até
from: desde partir
not: não nenhum nenhuma
never: nunca jamais
forget: esqueça esqueças esquecer
only: só somente apenas
without: sem
avoid: evite evita evitar
use: use usa uses usar usamos usam utilize utiliza utilizar
prefer: prefira prefere prefiro preferir preferimos
may: pode podem poderia
port: porta
seconds: segundo segundos
minutes: minuto minutos
hours: hora horas
lines: linhas
requests: requisições pedidos
~: as mais sempre
in: em
of: de do da
as: como
because: porque
least: pelo_menos no_mínimo
most: no_máximo
instead: em_vez ao_invés
and: e
but: mas
`
	italian = `
is: è sono sarà cade avviene deve
has: ha hanno
gets: tiene
run: gira girano funziona
goes: esce escono va vanno parte partono
listen: ascolta ascoltano
start: inizia iniziano comincia cominciano
end: finisce finiscono termina
~was: stato stata stati state
was: era erano
now: ora adesso attualmente
moved: spostato spostata spostati rinviato rinviata cambiato cambiata passato passata anticipato anticipata aumentato ridotto posticipato posticipata alzato abbassato
scheduled: previsto prevista fissato fissata programmato programmata inviate inviati
on: il
at: alle ore
to: a al
every: ogni
until: fino
from: dal dalle da
not: non nessun nessuna
never: mai
forget: dimenticare dimenticate
only: solo soltanto solamente
without: senza
avoid: evita evitate evitare
use: usa usate usare usiamo usano utilizza utilizzare
prefer: preferisci preferisce preferire preferiamo preferisco
may: può possono potrebbe
port: porta
seconds: secondo secondi
minutes: minuto minuti
~: orario
lines: righe
requests: richieste
~: più sempre i
in: in nel nella
of: di del della
for: per
as: come
because: perché
least: almeno al_minimo come_minimo
most: al_massimo
instead: invece
and: e ed
but: ma
`
	polish = `
is: jest są odbywa odbywają wypada wynosi będzie
gets: ma mają
run: działa działają chodzi
goes: wychodzi wychodzą idzie idą
listen: nasłuchuje słucha
start: zaczyna zaczynają startuje rusza
end: kończy kończą
~was: został została zostało zostały
was: był była było były
now: teraz obecnie
moved: przeniesiony przeniesiona przeniesione przeniesiono przesunięty przesunięta przesunięte przesunięto zmieniony zmieniona zmieniono przełożony przełożona przełożono zwiększony zwiększono zmniejszono
scheduled: zaplanowany zaplanowana zaplanowane planowany planowana wysyłane
at: o
to: na
every: każdy każdą co
until: do
from: od
not: nie żaden żadnych
never: nigdy
forget: zapomnij zapominaj zapomnieć
only: tylko wyłącznie
without: bez
avoid: unikaj unikać unikamy
use: używaj używać używamy używa stosuj stosujemy
prefer: preferuj preferuje preferujemy wolimy
may: może mogą można
port: portu porcie port
seconds: sekunda sekundy sekund sekundę
minutes: minuta minuty minut minutę
hours: godzina godziny godzin godzinę
~: godzinie
percent: procent
lines: linii linie
requests: żądań
~: zawsze się
in: w we
for: dla
as: jako
because: ponieważ bo
least: co_najmniej najmniej minimum
most: co_najwyżej najwyżej maksymalnie
instead: zamiast
and: oraz i
but: ale lecz
`
	russian = `
is: проходит проходят состоится будет находится равен равна равно составляет должен должна
gets: имеет получает
run: работает работают запускается запускаются
goes: выходит выходят идет идёт идут уходит уходят
listen: слушает слушают
start: начинается начинаются стартует
end: заканчивается заканчиваются
was: был была было были
now: теперь сейчас ныне
moved: перенесён перенесен перенесена перенесено перенесены перенесли сдвинут сдвинули сдвинута изменён изменен изменили изменена переехал переехала увеличен увеличили увеличена уменьшен уменьшили продлён продлен отложен отложена поменяли
scheduled: назначен назначена назначено запланирован запланирована
on: по
to: на
every: каждый каждую каждое
until: до
from: с со от
not: не нельзя
never: никогда
forget: забудь забудьте забывай забывайте забыть
only: только лишь
without: без
avoid: избегай избегайте избегать
use: используй используйте используем использует использовать используется
prefer: предпочитай предпочитаем предпочитает
may: может могут можно
port: порт порту порта
seconds: секунда секунды секунд секунду
minutes: минута минуты минут минуту
hours: час часа часов
percent: процентов процента
lines: строк
requests: запросов
~: всегда мы
in: в во
for: для
as: как
because: потому
least: не_менее минимум
most: не_более максимум
instead: вместо
but: а но
and: и
`
)
