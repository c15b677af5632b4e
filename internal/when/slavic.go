package when

// Words of time, see romance.go. Turkish stands with them for its many endings.
const (
	russian = `
january: январь января январе
february: февраль февраля феврале
march: март марта марте
april: апрель апреля апреле
may: май мая мае
june: июнь июня июне
july: июль июля июле
august: август августа августе
september: сентябрь сентября сентябре
october: октябрь октября октябре
november: ноябрь ноября ноябре
december: декабрь декабря декабре
monday: понедельник понедельника
tuesday: вторник вторника
wednesday: среду
thursday: четверг четверга
friday: пятницу пятницы пятница
saturday: субботу субботы суббота
sunday: воскресенье воскресенья
today: сегодня
yesterday: вчера
day before yesterday: позавчера
last: прошлый прошлая прошлое прошлого прошлой прошлом прошлым прошлую последний последнюю последние последних последней последнем
this: этот эта эту этой этом этого
day: день
days: дня дней
week: неделя неделе неделю недели недель
month: месяц месяца месяце месяцев
year: год года году лет
quarter: квартал квартале
spring: весна весну весны
summer: лето лета
autumn: осень осени
winter: зима зиму зимы
in spring: весной
in summer: летом
in autumn: осенью
in winter: зимой
in: в во
since: с со
until: до
after: после
ago: назад
between: между
and: и
one: одну один
two: два две
three: три
four: четыре
five: пять
six: шесть
ten: десять
penultimate: позапрошлый позапрошлой позапрошлом позапрошлого позапрошлую
beginning: начале начала
end: конце конца
middle: середине
half: половине половина
first: первую первой первая первые первый
second: вторую второй вторая
morning: утром
evening: вечером
seven: семь
eight: восемь
nine: девять
`
	polish = `
january: styczeń stycznia styczniu styczen
february: luty lutego lutym
march: marzec marca marcu
april: kwiecień kwietnia kwietniu kwiecien
may: maj maja maju
june: czerwiec czerwca czerwcu
july: lipiec lipca lipcu
august: sierpień sierpnia sierpniu sierpien
september: wrzesień września wrześniu wrzesien wrzesnia wrzesniu
october: październik października październiku pazdziernik pazdziernika pazdzierniku
november: listopad listopada listopadzie
december: grudzień grudnia grudniu grudzien
monday: poniedziałek poniedziałku poniedzialek poniedzialku
tuesday: wtorek wtorku
wednesday: środę środa środy srode sroda srody
thursday: czwartek czwartku
friday: piątek piątku piatek piatku
saturday: sobotę sobota soboty sobote
sunday: niedzielę niedziela niedzieli niedziele
today: dziś dzisiaj dzis
yesterday: wczoraj
day before yesterday: przedwczoraj
last: zeszły zeszłym zeszłego zeszła zeszłej zeszłą zeszly zeszlym zeszlego zeszlej ubiegły ubiegłym ubiegłego ubiegłej ubieglym ubieglego ubieglej poprzedni poprzednim poprzedniego poprzedniej ostatni ostatnim ostatniego ostatnia ostatniej ostatnią ostatnie ostatnich
penultimate: przedostatni przedostatnim przedostatniego przedostatniej
this: tym tego ten tej tę
day: dzień dnia dzien
days: dni dniach
week: tydzień tydzien tygodnia tygodniu tygodnie tygodni
month: miesiąc miesiąca miesiącu miesiące miesięcy miesiac miesiaca miesiacu miesiace miesiecy
year: rok roku lata lat
weekend: weekend weekendu
quarter: kwartał kwartału kwartale kwartal kwartalu
night: noc nocy
morning: rano
evening: wieczorem
spring: wiosna wiosny
summer: lato
autumn: jesień jesieni jesien
winter: zima zimy
in spring: wiosną
in summer: latem
in autumn: jesienią jesienia
in winter: zimą
in: w we
of: z
since: od
until: do
before: przed
after: po
ago: temu
between: między miedzy pomiędzy
and: i
beginning: początku poczatku początek
end: końcu koncu końca konca koniec
middle: połowie polowie
first: pierwszy pierwszym pierwszego pierwsza pierwszej
one: jeden jedną jednego
two: dwa dwie dwóch dwoch
three: trzy trzech
four: cztery
five: pięć piec
six: sześć szesc
seven: siedem
eight: osiem
nine: dziewięć dziewiec
ten: dziesięć dziesiec
`
	turkish = `
january: ocak ocakta ocaktan ocağın
february: şubat şubatta şubattan şubatın
march: mart martta marttan martın
april: nisan nisanda nisandan nisanın
may: mayıs mayis
june: haziran haziranda hazirandan haziranın
july: temmuz temmuzda temmuzdan temmuzun
august: ağustos ağustosta ağustostan ağustosun agustos
september: eylül eylülde eylülden eylülün eylul
october: ekim ekimde ekimden ekimin
november: kasım kasımda kasımdan kasımın kasim
december: aralık aralıkta aralıktan aralığın aralik
in may: mayısta mayısın mayıstan
monday: pazartesi pazartesiden
tuesday: salı salıdan sali
wednesday: çarşamba çarşambadan carsamba
thursday: perşembe perşembeden persembe
friday: cuma cumadan
saturday: cumartesi cumartesiden
sunday: pazar pazardan
today: bugün bugun
yesterday: dün dun
last: geçen gecen geçtiğimiz son
this: bu
day: gün günü gun gunu
days: günde günlerde gunde
week: hafta haftada
month: ay ayda
year: yıl yılda yil sene
weekend: haftasonu
quarter: çeyrek çeyrekte
night: gece
morning: sabah
evening: akşam aksam
spring: ilkbahar ilkbaharda bahar baharda
summer: yaz yazın
autumn: sonbahar sonbaharda güz
winter: kış kışın
since: beri itibaren
of: ın in ün
until: kadar
ago: önce once
after: sonra
and: ve
beginning: başında basinda
end: sonunda
middle: ortasında ortasinda
first: ilk
one: bir
two: iki
three: üç uc
four: dört dort
five: beş bes
six: altı alti
seven: yedi
eight: sekiz
nine: dokuz
ten: on
`
)
